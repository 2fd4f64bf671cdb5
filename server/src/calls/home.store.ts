import type { CallStatus } from '@parley/contract/calls'
import type { Callback, Checklist, FailedCall, FailingEndpoint, LiveCall } from '@parley/contract/home'
import type { Queryable } from '../platform/db.ts'

/** A stretch of days of one organisation, as its zone counts them. */
export type Days = { timezone: string; first: string; today: string }

// A call belongs to the hour it was placed in, or is due in. Calls are found by when they were created, the only order
// there is an index for: one scheduled longer ahead than this does not show in the counts.
const reachDays = 31
const localMidnight = (date: string) => `((${date}::date)::timestamp at time zone $2)`
const placedAt = 'coalesce(triggered_at, scheduled_at, created_at)'

export type CallCount = { date: string; hour: number; status: CallStatus; answered: boolean; count: number }

/** Counted by quarters of an hour first: every zone's hours are made of them, and asking the zone per call costs most. */
export async function selectCallCounts(db: Queryable, organisationId: string, days: Days): Promise<CallCount[]> {
  const rows = await db.query<Omit<CallCount, 'count'> & { count: string }>(
    `select to_char(quarter at time zone $2, 'YYYY-MM-DD') as date, extract(hour from quarter at time zone $2)::int as hour,
       status, answered, sum(count) as count
     from (
       select date_bin('15 minutes', ${placedAt}, 'epoch') as quarter, status, answered_at is not null as answered, count(*)
       from calls
       where organisation_id = $1 and created_at >= ${localMidnight(`($3::date - ${reachDays})`)}
         and ${placedAt} >= ${localMidnight('$3')} and ${placedAt} < ${localMidnight('($4::date + 1)')}
       group by 1, 2, 3
     ) placed
     group by 1, 2, 3, 4`,
    [organisationId, days.timezone, days.first, days.today],
  )
  return rows.map((row) => ({ ...row, count: Number(row.count) }))
}

export type BookingCount = { date: string; bookedBy: 'ai' | 'staff' | 'api'; count: number }

export async function selectBookingCounts(db: Queryable, organisationId: string, days: Days): Promise<BookingCount[]> {
  const rows = await db.query<Omit<BookingCount, 'count'> & { count: string }>(
    `select to_char(created_at at time zone $2, 'YYYY-MM-DD') as date, booked_by as "bookedBy", count(*)
     from appointments where organisation_id = $1 and created_at >= ${localMidnight('$3')} group by 1, 2`,
    [organisationId, days.timezone, days.first],
  )
  return rows.map((row) => ({ ...row, count: Number(row.count) }))
}

const mostShown = 10
const jsonTime = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const person = `'call_id', c.call_id, 'contact_number', c.contact_number, 'contact_name', c.contact_name,
  'agent_id', c.agent_id, 'agent_name', a.name`

export type HomeFacts = {
  balance: string
  held: string
  failed_calls: FailedCall[]
  callbacks: Callback[]
  endpoints: FailingEndpoint[]
  idle_numbers: { phone_number_id: string; number: string }[]
  checklist: Checklist
}

/** Everything that is not counted over days. A failed call that was followed by another to the same person is settled. */
export async function selectHomeFacts(db: Queryable, organisationId: string, days: Days): Promise<HomeFacts> {
  const [row] = await db.query<HomeFacts>(
    `select coalesce(b.balance, 0) as balance, coalesce(b.held, 0) as held,
       (select coalesce(json_agg(each), '[]') from (
          select json_build_object(${person}, 'error_code', c.error_code, 'completed_at', ${jsonTime('c.completed_at')}) as each
          from calls c join agents a using (agent_id)
          where c.organisation_id = $1 and c.created_at >= ${localMidnight('($3::date - 1)')}
            and c.status in ('failed', 'disallowed') and c.completed_at >= ${localMidnight('$3')}
            and c.scheduled_call_id is null
            and not exists (select 1 from calls l where l.contact_number = c.contact_number
              and l.organisation_id = c.organisation_id and l.created_at > c.created_at)
          order by c.created_at desc limit ${mostShown}) failed) as failed_calls,
       (select coalesce(json_agg(each), '[]') from (
          select json_build_object(${person}, 'scheduled_at', ${jsonTime('c.scheduled_at')}) as each
          from calls c join agents a using (agent_id)
          where c.organisation_id = $1 and c.source = 'callback' and c.status in ('scheduled', 'queued')
            and c.scheduled_at < ${localMidnight('($3::date + 1)')}
          order by c.scheduled_at limit ${mostShown}) due) as callbacks,
       (select coalesce(json_agg(json_build_object('endpoint_id', e.endpoint_id, 'url', e.url,
            'consecutive_failures', e.consecutive_failures, 'disabled', e.status = 'disabled')
            order by e.consecutive_failures desc), '[]')
          from webhook_endpoints e where e.organisation_id = $1 and e.deleted_at is null
            and (e.consecutive_failures > 0 or e.disabled_reason = 'failures')) as endpoints,
       (select coalesce(json_agg(each), '[]') from (
          select json_build_object('phone_number_id', n.phone_number_id, 'number', n.number) as each
          from phone_numbers n where n.organisation_id = $1 and not exists (select 1 from agents a
            where a.organisation_id = $1 and a.phone_number_id = n.phone_number_id)
          order by n.created_at limit ${mostShown}) idle) as idle_numbers,
       json_build_object(
         'agent', exists (select 1 from agents where organisation_id = $1 and archived_at is null),
         'number', exists (select 1 from agents where organisation_id = $1 and phone_number_id is not null),
         'api_key', exists (select 1 from api_keys where organisation_id = $1 and revoked_at is null
           and (expires_at is null or expires_at > now())),
         'test_call', exists (select 1 from calls where organisation_id = $1),
         'webhook', exists (select 1 from webhook_endpoints where organisation_id = $1 and deleted_at is null),
         'calendar', exists (select 1 from windows where organisation_id = $1)) as checklist
     from organisations o left join credit_balances b using (organisation_id)
     where o.organisation_id = $1`,
    [organisationId, days.timezone, days.today],
  )
  if (!row) throw new Error('An organisation somebody is signed in to has no row.')
  return row
}

const inTheAir = `('initiated', 'ringing', 'in_progress')`

/** Found by the organisation's lines: calls in the air are few, whatever lies behind them. */
export async function selectLiveCalls(db: Queryable, organisationId: string, limit: number) {
  const rows = await db.query<
    Omit<LiveCall, 'triggered_at' | 'answered_at'> & { triggered_at: Date | null; answered_at: Date | null }
  >(
    `select c.call_id, c.contact_number, c.contact_name, c.agent_id, a.name as agent_name, c.status, c.triggered_at,
       c.answered_at
     from phone_numbers n join calls c on c.phone_number_id = n.phone_number_id and c.status in ${inTheAir}
       join agents a on a.agent_id = c.agent_id
     where n.organisation_id = $1 and c.organisation_id = $1 order by c.triggered_at, c.call_id limit $2`,
    [organisationId, limit],
  )
  const [counts] = await db.query<{ total: string; waiting: string }>(
    `select
       (select count(*) from phone_numbers n join calls c using (phone_number_id)
          where n.organisation_id = $1 and c.status in ${inTheAir}) as total,
       (select count(*) from phone_numbers n join calls c using (phone_number_id)
          where n.organisation_id = $1 and c.status = 'queued') as waiting`,
    [organisationId],
  )
  return { calls: rows, total: Number(counts?.total ?? 0), waiting: Number(counts?.waiting ?? 0) }
}
