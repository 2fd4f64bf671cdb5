import type { Queryable } from '../platform/db.ts'

/** Of these trunks, those nobody else is filling. Locked, so that the count of the statement after holds. */
export async function lockTrunks(tx: Queryable, trunkIds: string[]): Promise<string[]> {
  const rows = await tx.query<{ trunk_id: string }>(
    'select trunk_id from trunks where trunk_id = any($1) order by trunk_id for no key update skip locked',
    [trunkIds],
  )
  return rows.map((row) => row.trunk_id)
}

// A tenth longer than a second: dials of one moment reach the carrier at slightly different ones.
const paceWindow = `interval '1100 milliseconds'`

/** The places each has right now: within its calls at once, all its numbers together, and its calls per second. */
export async function countTrunkPlaces(tx: Queryable, trunkIds: string[]): Promise<Map<string, number>> {
  const rows = await tx.query<{ trunk_id: string; places: string }>(
    `select t.trunk_id, greatest(0, least(
       t.max_concurrent - (select count(*) from phone_numbers n join calls c on c.phone_number_id = n.phone_number_id
         where n.trunk_id = t.trunk_id and c.status in ('initiated', 'ringing', 'in_progress')),
       t.calls_per_second - (select count(*) from unnest(t.recent_dials) d
         where d > clock_timestamp() - ${paceWindow}))) as places
     from trunks t where t.trunk_id = any($1)`,
    [trunkIds],
  )
  return new Map(rows.map((row) => [row.trunk_id, Number(row.places)]))
}

/** These were just taken, one entry for each call. */
export async function noteDials(tx: Queryable, trunkIds: string[]): Promise<void> {
  await tx.query(
    `update trunks t set recent_dials =
       array(select d from unnest(t.recent_dials) d where d > clock_timestamp() - ${paceWindow})
       || array_fill(clock_timestamp(), array[n.dials::int])
     from (select trunk_id, count(*) as dials from unnest($1::text[]) trunk_id group by trunk_id) n
     where t.trunk_id = n.trunk_id`,
    [trunkIds],
  )
}
