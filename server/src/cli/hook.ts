import { changeHookSigning, replaceHookToken } from '../hooks/hook-settings.ts'
import { hookQuota, listHookRequests } from '../hooks/hooks.service.ts'
import { inboundUrl } from '../organisations/organisations.service.ts'
import { type Action, actingCommand, actor, type Command, CommandError, readLimit } from './command.ts'

type Options = { 'rotate-secret'?: boolean; limit?: string }

const actions: Record<string, Action<Options>> = {
  // The old URL stops at once, on every node.
  regenerate: async ({ db }, { organisationId, config }) => {
    const token = await replaceHookToken(db, organisationId, actor)
    return { organisation_id: organisationId, inbound: { url: inboundUrl(config.baseUrl, token), token } }
  },
  signing: async (runtime, { organisationId, options, words: [word = ''] }) => {
    if (word !== 'on' && word !== 'off') throw new CommandError('Say on or off: parley hook signing on|off.')
    const change = { enabled: word === 'on', rotate: options['rotate-secret'] ?? false }
    const { signingSecret } = await changeHookSigning(runtime, organisationId, change, actor)
    return {
      organisation_id: organisationId,
      inbound: { signing: change.enabled, ...(signingSecret ? { signing_secret: signingSecret } : {}) },
    }
  },
  requests: async ({ db }, { organisationId, options, config }) => {
    const quota = await hookQuota({ db, hookQuotas: config.hookQuotas }, organisationId)
    const { items } = await listHookRequests(db, organisationId, { limit: readLimit(options.limit) })
    return { organisation_id: organisationId, quota, requests: items }
  },
}

/** `parley hook …`: the secret URL, signing, and what came in lately. A secret is printed only when it is new. */
export const hook: Command = actingCommand({
  usage: [
    'hook regenerate [--organisation ID]',
    'hook signing on|off [--rotate-secret] [--organisation ID]',
    'hook requests [--limit 1-100] [--organisation ID]',
  ],
  options: { 'rotate-secret': { type: 'boolean' }, limit: { type: 'string' } },
  actions,
})
