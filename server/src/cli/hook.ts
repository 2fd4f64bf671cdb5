import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { hookQuota, listHookRequests } from '../hooks/hooks.service.ts'
import { inboundUrl, regenerateInboundToken, setInboundSigning } from '../organisations/organisations.service.ts'
import type { Runtime } from '../runtime.ts'
import { type Command, CommandError, chosenOrganisation, printJson, withRuntime } from './command.ts'

type Options = { 'rotate-secret'?: boolean; limit?: string }
type Asked = { organisationId: string; options: Options; words: string[]; config: Config }
type Action = (runtime: Runtime, asked: Asked) => Promise<object>

/** `parley hook …`: the secret URL, signing, and what came in lately. A secret is printed only when it is new. */
export const hook: Command = {
  usage: [
    'hook regenerate [--organisation ID]',
    'hook signing on|off [--rotate-secret] [--organisation ID]',
    'hook requests [--limit 1-100] [--organisation ID]',
  ],
  async run(words, config) {
    const { values, positionals } = parseArgs({
      args: words,
      allowPositionals: true,
      options: { organisation: { type: 'string' }, 'rotate-secret': { type: 'boolean' }, limit: { type: 'string' } },
    })
    const action = actions[positionals[0] ?? '']
    if (!action) throw new CommandError(`Say what to do:\n${hook.usage.map((line) => `  parley ${line}`).join('\n')}`)
    const { organisation, ...options } = values
    await withRuntime(config, async (runtime) => {
      const organisationId = await chosenOrganisation(runtime, organisation)
      const asked = { organisationId, options, words: positionals.slice(1), config }
      printJson({ organisation_id: organisationId, ...(await action(runtime, asked)) })
    })
    return 0
  },
}

const actions: Record<string, Action> = {
  // The old URL stops at once, on every node.
  regenerate: async ({ db }, { organisationId, config }) => {
    const token = await regenerateInboundToken(db, organisationId)
    return { inbound: { url: inboundUrl(config.baseUrl, token), token } }
  },
  signing: async (runtime, { organisationId, options, words: [word = ''] }) => {
    if (word !== 'on' && word !== 'off') throw new CommandError('Say on or off: parley hook signing on|off.')
    const change = { enabled: word === 'on', rotate: options['rotate-secret'] ?? false }
    const { signingSecret } = await setInboundSigning(runtime, organisationId, change)
    return { inbound: { signing: change.enabled, ...(signingSecret ? { signing_secret: signingSecret } : {}) } }
  },
  requests: async ({ db }, { organisationId, options, config }) => {
    const quota = await hookQuota({ db, hookQuotas: config.hookQuotas }, organisationId)
    const { items } = await listHookRequests(db, organisationId, { limit: readLimit(options.limit) })
    return { quota, requests: items }
  },
}

function readLimit(text = '20'): number {
  if (!/^[1-9][0-9]?$|^100$/.test(text)) throw new CommandError('--limit takes a number from 1 to 100.')
  return Number(text)
}
