import { shareExpiries } from '@parley/contract/organisation'
import type { PublicShare, ShareExpiry } from '../organisations/organisation.ts'
import { getPublicShare } from '../organisations/organisations.service.ts'
import { systemClock } from '../platform/clock.ts'
import { createShareFinder } from '../sharing/share-finder.ts'
import { issueShareLink, revokeAllShares, revokeShare, setSharing } from '../sharing/sharing.service.ts'
import { type Action, actingCommand, actor, type Command, CommandError } from './command.ts'

type Options = { expiry?: string; new?: boolean; all?: boolean }

const clock = systemClock

const switchTo =
  (enabled: boolean): Action<Options> =>
  async ({ db }, { organisationId, options }) => {
    const expiry = options.expiry === undefined ? {} : { expiry: readExpiry(options.expiry) }
    return {
      organisation_id: organisationId,
      public_share: await setSharing({ db }, organisationId, { enabled, ...expiry }, actor),
    }
  }

const actions: Record<string, Action<Options>> = {
  show: async ({ db }, { organisationId }) => ({
    organisation_id: organisationId,
    public_share: await getPublicShare(db, organisationId),
  }),
  on: switchTo(true),
  off: switchTo(false),
  link: async ({ db, secretKey }, { organisationId, options, words: [callId], config }) => {
    if (!callId) throw new CommandError('Say which call: parley share link CALL_ID.')
    const shares = createShareFinder({ db, secretKey, baseUrl: config.baseUrl })
    const how = { renew: options.new ?? false, actor }
    const links = await issueShareLink({ db, clock, shares }, organisationId, callId, how)
    return {
      organisation_id: organisationId,
      call_id: callId,
      call_details_url: links.detailsUrl,
      share_token: links.token,
      expires_at: links.expiresAt,
    }
  },
  revoke: async ({ db }, { organisationId, options, words: [callId] }) => {
    if (options.all && !callId)
      return { organisation_id: organisationId, revoked: await revokeAllShares({ db, clock }, organisationId, actor) }
    if (!callId || options.all) throw new CommandError('Say which call, or all: parley share revoke CALL_ID|--all.')
    await revokeShare({ db, clock }, organisationId, callId, actor)
    return { organisation_id: organisationId, call_id: callId, revoked: true }
  },
}

function readExpiry(text: string): PublicShare['expiry'] {
  if (text === 'never') return null
  if (shareExpiries.includes(text as ShareExpiry)) return text as ShareExpiry
  throw new CommandError(`--expiry takes ${shareExpiries.join(', ')} or never.`)
}

/** `parley share …`: the organisation's setting, and the link of one call. */
export const share: Command = actingCommand({
  usage: [
    'share show [--organisation ID]',
    'share on|off [--expiry hour|day|week|month|never] [--organisation ID]',
    'share link CALL_ID [--new] [--organisation ID]',
    'share revoke CALL_ID|--all [--organisation ID]',
  ],
  options: { expiry: { type: 'string' }, new: { type: 'boolean' }, all: { type: 'boolean' } },
  actions,
})
