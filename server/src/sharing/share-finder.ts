import { createBatcher } from '../platform/batch.ts'
import type { Queryable } from '../platform/db.ts'
import { ParleyError } from '../platform/errors.ts'
import { isId } from '../platform/ids.ts'
import { equalSecrets, randomToken } from '../platform/secrets.ts'
import { createTokenOf, isExpired, linksOf, type Share, type ShareLinks } from './share.ts'
import { type ChosenExpiry, insertShares, renewShare, type ShareToInsert, selectShares } from './sharing.store.ts'

export type OpenShare = { organisationId: string; callId: string; links: ShareLinks }

export type ShareFinder = {
  /** What the token opens. Whatever is wrong, it is the same NOT_FOUND; LINK_EXPIRED only with the right token. */
  open(callId: string, token: unknown, now: Date): Promise<OpenShare>
  /** The links of a call, with its token made when the first is issued. Null while none of them would open anything. */
  linksFor(organisationId: string, callId: string, now: Date): Promise<ShareLinks | null>
  /** The same, but for looking: none is made. */
  existingLinks(organisationId: string, callId: string, now: Date): Promise<ShareLinks | null>
  /** Links with another token; those before are closed for good. */
  renew(organisationId: string, callId: string, now: Date, chosen?: ChosenExpiry): Promise<ShareLinks | null>
  /** How the link of a call stands, for its own organisation; null when none was ever issued. Makes none. */
  stateOf(organisationId: string, callId: string, now: Date): Promise<ShareState | null>
}
export type ShareState = { state: 'open' | 'expired' | 'revoked'; links: ShareLinks }

const nobodysCall = `call_${'0'.repeat(32)}`
const newSalt = () => randomToken(16)

export const nothingShared = (): ParleyError =>
  new ParleyError('NOT_FOUND', 'There is nothing behind this link. It may be incomplete, or it was closed.')

export function createShareFinder({ db, secretKey, baseUrl }: { db: Queryable; secretKey: string; baseUrl: string }) {
  const tokenOf = createTokenOf(secretKey)
  const saltOfNothing = newSalt()
  const inOneStatement = <Item extends { callId: string }>(run: (items: Item[]) => Promise<Share[]>) =>
    createBatcher<Item, Share | null>(
      async (items) => {
        const found = new Map((await run(items)).map((each) => [each.callId, each]))
        return items.map(({ callId }) => found.get(callId) ?? null)
      },
      { lanes: 1 },
    )
  const find = inOneStatement<{ callId: string }>((items) => selectShares(db, [...new Set(items.map((i) => i.callId))]))
  const issue = inOneStatement<ShareToInsert>((items) => insertShares(db, items))
  const linksFrom = (share: Share) => linksOf(baseUrl, share, tokenOf(share.callId, share.salt))

  const openLinks = (share: Share | null, organisationId: string, now: Date) => {
    const isOpen = share?.organisationId === organisationId && share.isOn && !share.revokedAt && !isExpired(share, now)
    return isOpen ? linksFrom(share) : null
  }

  const finder: ShareFinder = {
    async open(callId, token, now) {
      // The same work for every link, good or not: what is refused takes the same time (decisions 8).
      const share = await find({ callId: isId('call', callId) ? callId : nobodysCall })
      const links = linksFrom(share ?? { ...nothing, salt: saltOfNothing })
      const isRight = equalSecrets(typeof token === 'string' ? token : '', links.token)
      if (!share || !isRight || !share.isOn || share.revokedAt) throw nothingShared()
      if (isExpired(share, now)) {
        throw new ParleyError('LINK_EXPIRED', 'This link has expired. Ask whoever sent it to you for a new one.')
      }
      return { organisationId: share.organisationId, callId: share.callId, links }
    },

    async linksFor(organisationId, callId, now) {
      const wanted = { organisationId, callId, salt: newSalt(), at: now }
      // Another node may have issued it between the first two: then the third finds it.
      const share = (await find({ callId })) ?? (await issue(wanted)) ?? (await find({ callId }))
      return openLinks(share, organisationId, now)
    },

    existingLinks: async (organisationId, callId, now) => openLinks(await find({ callId }), organisationId, now),

    async renew(organisationId, callId, now, chosen) {
      // An expiry of its own needs a link to set it on; what was made a moment ago was told to nobody.
      if (chosen) await finder.linksFor(organisationId, callId, now)
      await renewShare(db, { organisationId, callId, salt: newSalt(), at: now }, chosen ?? null)
      return finder.linksFor(organisationId, callId, now)
    },

    async stateOf(organisationId, callId, now) {
      const share = await find({ callId })
      if (share?.organisationId !== organisationId) return null
      const closed = isExpired(share, now) ? 'expired' : 'open'
      return { state: share.revokedAt ? 'revoked' : closed, links: linksFrom(share) }
    },
  }
  return finder
}

const nothing: Share = {
  callId: nobodysCall,
  organisationId: '',
  salt: '',
  expiresAt: null,
  revokedAt: null,
  isOn: false,
}
