import { type Scope, scopeNames } from '@parley/contract/scopes'
import { fault, ParleyError } from '../platform/errors.ts'

export type ApiKey = {
  keyId: string
  organisationId: string
  name: string
  hint: string
  scopes: Scope[]
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
  lastUsedAt: Date | null
}

/** What a request needs to know of its key; on the dashboard the user's id stands in the key's place. */
export type Caller = { keyId: string; organisationId: string; scopes: Scope[] }

export const keyPrefix = 'pk_'

/** A text that cannot be a key of ours is not worth a question to the database. */
export const looksLikeKey = (text: string): boolean => /^pk_[0-9A-Za-z]{40,64}$/.test(text)

/** `*` stands for all eight. */
export const expandScopes = (scopes: readonly (Scope | '*')[]): Scope[] =>
  scopes.includes('*') ? [...scopeNames] : scopeNames.filter((each) => scopes.includes(each))

/** A missing, a malformed, an unknown, a revoked and an expired key are told the same (decisions 2). */
export const noSuchKey = (): ParleyError =>
  new ParleyError('UNAUTHENTICATED', 'Send a valid API key in the x-api-key header.')

/** SQL, over a row of api_keys. */
export const isActiveKey = 'revoked_at is null and (expires_at is null or expires_at > now())'

export function requireScope(caller: Caller, scope: Scope): void {
  if (caller.scopes.includes(scope)) return
  throw new ParleyError('INSUFFICIENT_SCOPE', `This API key lacks the scope ${scope}.`, {
    details: [fault('scope', 'required', scope), fault('scope', 'held', caller.scopes.join(', ') || 'none')],
  })
}
