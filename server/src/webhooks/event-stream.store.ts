import type { EventType } from '@parley/contract/events'
import type { Queryable } from '../platform/db.ts'
import type { StoredEvent } from './render-event.ts'

/** In the order of their time. Events of slower transactions may turn up behind others: ask again a little earlier. */
export const selectEventsSince = (
  db: Queryable,
  organisationId: string,
  types: readonly EventType[],
  since: Date,
  except: readonly string[],
  limit: number,
): Promise<StoredEvent[]> =>
  db.query<StoredEvent>(
    `select event_id as "eventId", organisation_id as "organisationId", type, call_id as "callId", data::text,
       has_media as "hasMedia", created_at as "createdAt",
       (select o.public_share_enabled from organisations o where o.organisation_id = $1) as "isShared"
     from events where organisation_id = $1 and type = any($2) and created_at >= $3 and event_id <> all($4)
     order by created_at, event_id limit $5`,
    [organisationId, types, since, except, limit],
  )

export const selectEventIdsSince = (
  db: Queryable,
  organisationId: string,
  types: readonly EventType[],
  since: Date,
): Promise<Pick<StoredEvent, 'eventId' | 'createdAt'>[]> =>
  db.query(
    `select event_id as "eventId", created_at as "createdAt"
     from events where organisation_id = $1 and type = any($2) and created_at >= $3`,
    [organisationId, types, since],
  )

/** The time of an event somebody saw last; null when it is not theirs or gone. */
export async function selectEventTime(db: Queryable, organisationId: string, eventId: string): Promise<Date | null> {
  const [row] = await db.query<{ created_at: Date }>(
    'select created_at from events where organisation_id = $1 and event_id = $2',
    [organisationId, eventId],
  )
  return row?.created_at ?? null
}

export async function selectNow(db: Queryable): Promise<Date> {
  const [row] = await db.query<{ now: Date }>('select now() as now')
  return row?.now ?? new Date(0)
}
