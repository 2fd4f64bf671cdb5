import { recordAudit } from '../platform/audit.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, Queryable } from '../platform/db.ts'
import { ParleyError } from '../platform/errors.ts'
import { randomToken, sha256 } from '../platform/secrets.ts'
import { deleteFeed, insertFeed, selectFeedByToken, selectFeedEntries, selectFeedSince } from './feed.store.ts'
import { feedText } from './feed-text.ts'

export const feedUrl = (baseUrl: string, token: string): string => `${baseUrl}/calendar/${token}.ics`

/** The address of a branch's feed can be told only when it is made; afterwards only since when there is one. */
export type OpenedFeed = { token: string | null; since: Date }

type Asked = { organisationId: string; branchId: string; actor: string }

/** Makes the feed if there is none. `renew`: makes a new address, and the old one stops working at once. */
export function openFeed(db: Database, asked: Asked, { renew = false } = {}): Promise<OpenedFeed> {
  const { organisationId, branchId, actor } = asked
  return db.transaction(async (tx) => {
    const token = randomToken()
    const made = await insertFeed(tx, organisationId, branchId, sha256(token), renew)
    if (made) {
      await recordAudit(tx, { organisationId, actor, action: 'feed.opened', resourceId: branchId })
      return { token, since: made }
    }
    const since = await selectFeedSince(tx, organisationId, branchId)
    if (!since) throw new ParleyError('NOT_FOUND', 'There is no branch with this id.')
    return { token: null, since }
  })
}

/** False when there was none. */
export const closeFeed = (db: Database, { organisationId, branchId, actor }: Asked): Promise<boolean> =>
  db.transaction(async (tx) => {
    const closed = await deleteFeed(tx, organisationId, branchId)
    if (closed) await recordAudit(tx, { organisationId, actor, action: 'feed.closed', resourceId: branchId })
    return closed
  })

/** Since when the branch has a feed; null when it has none. */
export const feedSince: (db: Queryable, organisationId: string, branchId: string) => Promise<Date | null> =
  selectFeedSince

const dayMs = 86_400_000
const span = { backDays: 30, aheadDays: 366, limit: 20_000 }

/** Null for a token that is not, or no longer, anybody's. */
export async function readFeed({ db, clock }: { db: Queryable; clock: Clock }, token: string): Promise<string | null> {
  const feed = await selectFeedByToken(db, sha256(token))
  if (!feed) return null
  const { organisationId, branchId, timezone } = feed
  // Whole days, so that the text does not change with every look.
  const today = Math.floor(clock.now().getTime() / dayMs) * dayMs
  const from = new Date(today - span.backDays * dayMs)
  const to = new Date(today + span.aheadDays * dayMs)
  const entries = await selectFeedEntries(db, organisationId, branchId, { from, to, limit: span.limit })
  return feedText({ name: `${feed.branchName} – ${feed.organisationName}`, timezone, from, to, entries })
}
