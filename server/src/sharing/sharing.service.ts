import type { PublicShare, ShareExpiry } from '../organisations/organisation.ts'
import { setPublicShare } from '../organisations/organisations.service.ts'
import { recordAudit } from '../platform/audit.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db.ts'
import { ParleyError } from '../platform/errors.ts'
import { isId } from '../platform/ids.ts'
import type { ShareLinks } from './share.ts'
import type { ShareFinder } from './share-finder.ts'
import { closeShares, deleteShare } from './sharing.store.ts'

export type SharingDeps = { db: Database; clock: Clock; shares: ShareFinder }

/** Off closes every link with this commit. A new expiry is for links issued from now on; left out, it stays as it is. */
export const setSharing = (
  { db }: { db: Database },
  organisationId: string,
  change: { enabled: boolean; expiry?: PublicShare['expiry'] },
  actor: string,
): Promise<PublicShare> =>
  db.transaction(async (tx) => {
    const setting = await setPublicShare(tx, organisationId, change)
    const action = setting.enabled ? 'sharing.on' : 'sharing.off'
    await recordAudit(tx, { organisationId, actor, action, resourceId: organisationId })
    return setting
  })

/** The link as it is; `renew` makes another one and closes it for good. */
export async function issueShareLink(
  { db, clock, shares }: SharingDeps,
  organisationId: string,
  callId: string,
  { renew, actor }: { renew: boolean; actor: string },
): Promise<ShareLinks> {
  const find = renew ? shares.renew : shares.linksFor
  const links = isId('call', callId) ? await find(organisationId, callId, clock.now()) : null
  if (!links) {
    throw new ParleyError(
      'NOT_FOUND',
      'This call has no link: there is no such call, sharing is off, or its link was revoked or has expired.',
    )
  }
  if (renew) await recordAudit(db, { organisationId, actor, action: 'share.renewed', resourceId: callId })
  return links
}

const lifeHours: Record<ShareExpiry, number> = { hour: 1, day: 24, week: 168, month: 720 }

/** A new link with a life of its own; the one before is closed for good. */
export async function makeShareLink(
  { db, clock, shares }: SharingDeps,
  organisationId: string,
  callId: string,
  { expiry, actor }: { expiry: ShareExpiry | 'never'; actor: string },
): Promise<ShareLinks> {
  const now = clock.now()
  const expiresAt = expiry === 'never' ? null : new Date(now.getTime() + lifeHours[expiry] * 3_600_000)
  const links = await shares.renew(organisationId, callId, now, { expiresAt })
  if (!links) throw new ParleyError('FORBIDDEN', 'Your organisation does not share calls. Switch sharing on first.')
  await recordAudit(db, { organisationId, actor, action: 'share.renewed', resourceId: callId })
  return links
}

/** A revoked link stays closed; events of the call carry none from now on. */
export async function revokeShare(
  { db, clock }: Pick<SharingDeps, 'db' | 'clock'>,
  organisationId: string,
  callId: string,
  actor: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const closed = isId('call', callId) ? await closeShares(tx, organisationId, callId, clock.now()) : 0
    if (closed === 0) throw new ParleyError('NOT_FOUND', 'No link to such a call was ever issued.')
    await recordAudit(tx, { organisationId, actor, action: 'share.revoked', resourceId: callId })
  })
}

/** Every link there is; calls to come get theirs as before. */
export const revokeAllShares = (
  { db, clock }: Pick<SharingDeps, 'db' | 'clock'>,
  organisationId: string,
  actor: string,
): Promise<number> =>
  db.transaction(async (tx) => {
    const closed = await closeShares(tx, organisationId, null, clock.now())
    await recordAudit(tx, { organisationId, actor, action: 'share.revoked_all', resourceId: organisationId })
    return closed
  })

export const eraseShare = deleteShare
