import type { EventType } from '@parley/contract/events'
import type { Queryable } from '../platform/db.ts'

export type EventToInsert = {
  eventId: string
  organisationId: string
  type: EventType
  callId: string | null
  data: unknown
}

export async function insertEvents(tx: Queryable, events: EventToInsert[]): Promise<void> {
  await tx.query(
    `insert into events (event_id, organisation_id, type, call_id, data)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::jsonb[])`,
    [
      events.map((event) => event.eventId),
      events.map((event) => event.organisationId),
      events.map((event) => event.type),
      events.map((event) => event.callId),
      events.map((event) => JSON.stringify(event.data)),
    ],
  )
}

export const deleteEventsOfCall = (tx: Queryable, organisationId: string, callId: string): Promise<unknown[]> =>
  tx.query('delete from events where organisation_id = $1 and call_id = $2', [organisationId, callId])
