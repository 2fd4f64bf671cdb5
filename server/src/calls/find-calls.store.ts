import type { CallStatus } from '@parley/contract/calls'
import type { CallLine } from '@parley/contract/dashboard-calls'
import type { Position } from '../platform/cursor.ts'
import type { Queryable } from '../platform/db.ts'

export type CallSearch = {
  statuses: CallStatus[] | null
  agentId: string | null
  disposition: string | null
  direction: string | null
  createdFrom: Date | null
  createdTo: Date | null
  q: SearchedText | null
}
/** What somebody typed: a whole id, a whole number, or words. `digits`: the words read as a part of a number. */
export type SearchedText = { callId: string } | { number: string } | { words: string; digits: string | null }

type Statement = { text: string; values: unknown[] }
type Row = Omit<CallLine, 'created_at' | 'scheduled_at'> & { created_at: Date; scheduled_at: Date | null }
export type FoundCall = Row

/**
 * The newest so many calls of an organisation, and of them those that match: however rare a match is, a look costs no more
 * than this many rows (docs/decisions/0039). Only what an index finds stands inside.
 */
function stretch(organisationId: string, search: CallSearch, after: Position | null, size: number) {
  const values: unknown[] = [organisationId, size]
  const place = (value: unknown) => `$${values.push(value)}`
  const inside = ['organisation_id = $1']
  if (search.createdFrom) inside.push(`created_at >= ${place(search.createdFrom)}`)
  if (search.createdTo) inside.push(`created_at < ${place(search.createdTo)}`)
  if (after) inside.push(`(created_at, call_id) < (${place(after.at)}, ${place(after.id)})`)
  if (search.q && 'callId' in search.q) inside.push(`call_id = ${place(search.q.callId)}`)
  if (search.q && 'number' in search.q) inside.push(`contact_number = ${place(search.q.number)}`)
  const rows = `from calls where ${inside.join(' and ')} order by created_at desc, call_id desc`
  return { values, place, rows }
}

/** Everything after `from`; `found.text` is the sentence that holds the words. */
function matches(search: CallSearch, { rows, place }: ReturnType<typeof stretch>, withStatus: boolean): string {
  const conditions: string[] = []
  if (withStatus && search.statuses) conditions.push(`c.status = any(${place(search.statuses)})`)
  if (search.agentId) conditions.push(`c.agent_id = ${place(search.agentId)}`)
  if (search.direction) conditions.push(`c.direction = ${place(search.direction)}`)
  if (search.disposition) conditions.push(`c.analytics->>'disposition' = ${place(search.disposition)}`)
  let said = 'left join lateral (select null::text as text) found on true'
  if (search.q && 'words' in search.q) {
    const words = place(`%${search.q.words.replaceAll(/[\\%_]/g, '\\$&')}%`)
    said = `left join lateral (select u.text from call_utterances u where u.call_id = c.call_id and u.text ilike ${words}
      order by u.position limit 1) found on true`
    const places = [`c.contact_name ilike ${words}`, 'found.text is not null']
    if (search.q.digits) places.push(`c.contact_number like ${place(`%${search.q.digits}%`)}`)
    conditions.push(`(${places.join(' or ')})`)
  }
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
  return `from (select * ${rows} limit $2) c ${said} ${where}`
}

export type Look = { search: CallSearch; after: Position | null; size: number }

export async function selectFoundCalls(
  db: Queryable,
  organisationId: string,
  { search, after, size }: Look,
  limit: number,
): Promise<FoundCall[]> {
  const part = stretch(organisationId, search, after, size)
  // The agent's name by a look-up of its own: a join might lose the order, and with it the early end.
  const statement: Statement = {
    text: `select c.call_id, c.status, c.direction as call_direction, c.contact_number, c.contact_name, c.agent_id,
       (select a.name from agents a where a.agent_id = c.agent_id) as agent_name, c.created_at, c.scheduled_at,
       c.duration_seconds as call_duration_seconds, c.analytics->>'disposition' as disposition,
       c.analytics->>'sentiment' as sentiment, c.error_code, left(found.text, 300) as excerpt
     ${matches(search, part, true)}
     order by c.created_at desc, c.call_id desc limit ${part.place(limit)}`,
    values: part.values,
  }
  return db.query<FoundCall>(statement.text, statement.values)
}

/** The last call of the stretch when it is a full one: where the next look begins. */
export async function selectEndOfStretch(
  db: Queryable,
  organisationId: string,
  { search, after, size }: Look,
): Promise<Position | null> {
  const { rows, values } = stretch(organisationId, search, after, size)
  const [row] = await db.query<{ created_at: Date; call_id: string }>(
    `select created_at, call_id ${rows} offset $2::int - 1 limit 1`,
    values,
  )
  return row ? { at: row.created_at, id: row.call_id } : null
}

export async function countFoundCalls(
  db: Queryable,
  organisationId: string,
  { search, size }: Omit<Look, 'after'>,
): Promise<{ status: CallStatus; count: number }[]> {
  const part = stretch(organisationId, search, null, size)
  return db.query<{ status: CallStatus; count: number }>(
    `select c.status, count(*)::int as count ${matches(search, part, false)} group by c.status`,
    part.values,
  )
}
