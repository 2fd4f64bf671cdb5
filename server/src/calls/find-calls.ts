import type { CallStatus } from '@parley/contract/calls'
import type { CallCounts, CallLine, CountCallsQuery, FindCallsQuery } from '@parley/contract/dashboard-calls'
import { decodeCursor, encodeCursor, type Page, type Position } from '../platform/cursor.ts'
import type { Queryable } from '../platform/db.ts'
import { type Fault, fault } from '../platform/errors.ts'
import { isId } from '../platform/ids.ts'
import { parseInstant } from '../platform/instant.ts'
import { isE164 } from '../platform/phone.ts'
import { callFilterFaults } from './calls.service.ts'
import {
  type CallSearch,
  countFoundCalls,
  type FoundCall,
  type SearchedText,
  selectEndOfStretch,
  selectFoundCalls,
} from './find-calls.store.ts'

/** How many calls one request looks at, at most (docs/decisions/0039). */
const usualStretch = 10_000
/** Words are looked for in the transcript of each. */
const wordsStretch = 3_000
const stretchFor = ({ q }: CallSearch): number => (q && 'words' in q ? wordsStretch : usualStretch)

export function findCallsFaults(query: Record<string, unknown>): Fault[] {
  const faults = callFilterFaults(query)
  // No stored text has it, and the database would not even look.
  if (typeof query.q === 'string' && query.q.includes('\0')) faults.push(fault('q', 'format', 'Leave out the NUL.'))
  if (typeof query.agent_id === 'string' && !isId('agent', query.agent_id))
    faults.push(fault('agent_id', 'format', 'This must be an id such as agt_0123….'))
  return faults
}

/** People write numbers with spaces, brackets and dashes. */
export function readSearch(text: string | undefined): SearchedText | null {
  const words = text?.trim() ?? ''
  if (words === '') return null
  if (isId('call', words)) return { callId: words }
  const dense = words.replaceAll(/[\s().-]/g, '')
  if (isE164(dense)) return { number: dense }
  return { words, digits: /^\+?[0-9]{3,}$/.test(dense) ? dense : null }
}

function searchOf(query: CountCallsQuery): CallSearch {
  const instant = (text: string | undefined) => (text === undefined ? null : (parseInstant(text) as Date))
  return {
    statuses: (query.status?.split(',') as CallStatus[] | undefined) ?? null,
    agentId: query.agent_id ?? null,
    disposition: query.disposition ?? null,
    direction: query.direction ?? null,
    createdFrom: instant(query.created_from),
    createdTo: instant(query.created_to),
    q: readSearch(query.q),
  }
}

/** Newest first. A page may hold fewer than asked for and still have more behind it: it looked far enough for once. */
export async function findCalls(
  db: Queryable,
  organisationId: string,
  query: FindCallsQuery,
  stretch?: number,
): Promise<Page<CallLine>> {
  const search = searchOf(query)
  const limit = query.limit ?? 20
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor)
  const look = { search, after, size: stretch ?? stretchFor(search) }
  const found = await selectFoundCalls(db, organisationId, look, limit + 1)
  const items = found.slice(0, limit)
  const last = items.at(-1)
  const end: Position | null =
    found.length > limit && last
      ? { at: last.created_at, id: last.call_id }
      : await selectEndOfStretch(db, organisationId, look)
  return { items: items.map(toLine), nextCursor: end && encodeCursor(end) }
}

const toLine = (call: FoundCall): CallLine => ({
  ...call,
  created_at: call.created_at.toISOString(),
  scheduled_at: call.scheduled_at?.toISOString() ?? null,
})

/** Of each state how many there are, whatever state is asked for: the row above the list leads from one to another. */
export async function countCalls(
  db: Queryable,
  organisationId: string,
  query: CountCallsQuery,
  stretch?: number,
): Promise<CallCounts> {
  const search = searchOf(query)
  const size = stretch ?? stretchFor(search)
  const counted = await countFoundCalls(db, organisationId, { search, size })
  const end = await selectEndOfStretch(db, organisationId, { search, after: null, size })
  return {
    by_status: Object.fromEntries(counted.map(({ status, count }) => [status, count])),
    newest_only: end ? size : null,
  }
}
