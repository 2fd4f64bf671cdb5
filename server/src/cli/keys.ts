import { type Scope, scopeNames } from '@parley/contract/scopes'
import type { ApiKey } from '../api-keys/api-key.ts'
import { listApiKeys } from '../api-keys/api-keys.service.ts'
import { issueKey, withdrawKey } from '../api-keys/manage-keys.ts'
import { parseInstant } from '../platform/instant.ts'
import { type Action, actingCommand, actor, type Command, CommandError } from './command.ts'

type Options = { name?: string; scopes?: string; expires?: string }

const actions: Record<string, Action<Options>> = {
  create: async ({ db }, { organisationId, options }) => {
    if (!options.name) throw new CommandError('Give the key a name: --name NAME.')
    const key = { name: options.name, scopes: readScopes(options.scopes), expiresAt: readExpiry(options.expires) }
    const { apiKey, text } = await issueKey(db, organisationId, key, actor)
    return { name: options.name, key_id: apiKey.keyId, key: text }
  },
  list: async ({ db }, { organisationId }) => (await listApiKeys(db, organisationId)).map(view),
  revoke: async ({ db }, { organisationId, words: [keyId] }) => {
    if (!keyId) throw new CommandError('Say which key: parley keys revoke KEY_ID.')
    return view(await withdrawKey(db, organisationId, keyId, actor))
  },
}

function readScopes(text: string | undefined): (Scope | '*')[] {
  const words = (text ?? '').split(',').map((each) => each.trim())
  const unknown = words.filter((each) => each !== '*' && !scopeNames.includes(each as Scope))
  if (unknown.length > 0) throw new CommandError(`--scopes takes "*" or a comma list of: ${scopeNames.join(', ')}.`)
  return words as (Scope | '*')[]
}

function readExpiry(text: string | undefined): Date | null {
  if (text === undefined) return null
  const instant = parseInstant(text)
  if (!(instant instanceof Date)) throw new CommandError('--expires takes a time such as 2027-01-31T00:00:00Z.')
  return instant
}

const view = (key: ApiKey) => ({
  key_id: key.keyId,
  name: key.name,
  ends_in: key.hint,
  scopes: key.scopes,
  created_at: key.createdAt,
  expires_at: key.expiresAt,
  revoked_at: key.revokedAt,
  last_used_at: key.lastUsedAt,
})

/** `parley keys create|list|revoke`. The key's text is printed by create, once. */
export const keys: Command = actingCommand({
  usage: [
    'keys create --name NAME --scopes calls:create,calls:read|"*" [--expires TIME] [--organisation ID]',
    'keys list [--organisation ID]',
    'keys revoke KEY_ID [--organisation ID]',
  ],
  options: { name: { type: 'string' }, scopes: { type: 'string' }, expires: { type: 'string' } },
  actions,
})
