import { type CallStatus, callStatuses, type ListCallsQuery } from '@parley/contract/calls'
import { isAgentOf } from '../agents/agents.service.ts'
import { announceChange } from '../platform/changes.ts'
import { decodeCursor, type Page, toPage } from '../platform/cursor.ts'
import type { Queryable, Transaction } from '../platform/db.ts'
import { type Fault, fault, ParleyError, validationError } from '../platform/errors.ts'
import { isId } from '../platform/ids.ts'
import { parseInstant } from '../platform/instant.ts'
import { isE164 } from '../platform/phone.ts'
import type { CallRecord } from './call.ts'
import { cancelIfPending, selectCall, selectCalls } from './calls.store.ts'

export const noSuchCall = () => new ParleyError('NOT_FOUND', 'There is no call with this id.')

export async function getCall(db: Queryable, organisationId: string, callId: string): Promise<CallRecord> {
  const call = isId('call', callId) ? await selectCall(db, organisationId, callId) : null
  if (!call) throw noSuchCall()
  return call
}

/** Safe to repeat: a cancelled call answers the same time again (decisions 3). */
export async function cancelCall(db: Transaction, organisationId: string, callId: string): Promise<Date> {
  if (!isId('call', callId)) throw noSuchCall()
  const cancelledAt = await cancelIfPending(db, organisationId, callId)
  if (cancelledAt) {
    announceChange(db, organisationId, 'calls')
    return cancelledAt
  }
  const call = await getCall(db, organisationId, callId)
  if (call.status === 'cancelled' && call.cancelledAt) return call.cancelledAt
  throw new ParleyError(
    'CALL_NOT_CANCELLABLE',
    `The call is ${call.status}: only a call that is scheduled or queued can be cancelled.`,
  )
}

/** The query's rules a schema cannot say; its faults join the schema's. */
export function listCallsFaults(query: Record<string, unknown>): Fault[] {
  const [from, to] = [query.created_from, query.created_to].map((each) => parseInstant(String(each)))
  const isReversed = from instanceof Date && to instanceof Date && from > to
  return [
    ...callFilterFaults(query),
    ...(isReversed ? [fault('created_to', 'order', 'created_to is before created_from.')] : []),
  ]
}

/** Without the order of times: the dashboard's filters are set one after the other. */
export function callFilterFaults(query: Record<string, unknown>): Fault[] {
  const faults: Fault[] = []
  for (const name of ['created_from', 'created_to']) {
    const value = query[name]
    if (typeof value === 'string' && !(parseInstant(value) instanceof Date)) {
      faults.push(fault(name, 'format', 'Write the time in ISO 8601 with Z or an offset (a plus sign as %2B).'))
    }
  }
  if (typeof query.status === 'string') {
    const unknown = query.status.split(',').filter((each) => !callStatuses.includes(each as CallStatus))
    if (unknown.length > 0)
      faults.push(fault('status', 'not_allowed', `Use a comma list of: ${callStatuses.join(', ')}.`))
  }
  if (typeof query.contact_number === 'string' && !isE164(query.contact_number)) {
    faults.push(fault('contact_number', 'format', 'Write the number in E.164, the plus sign as %2B: %2B15005550001.'))
  }
  return faults
}

export async function listCalls(
  db: Queryable,
  organisationId: string,
  query: ListCallsQuery,
): Promise<Page<CallRecord>> {
  if (query.agent_id !== undefined && !(await isAgentOf(db, organisationId, query.agent_id))) {
    throw validationError([fault('agent_id', 'not_found', 'There is no agent with this id.')])
  }
  const limit = query.limit ?? 20
  const instant = (text: string | undefined) => (text === undefined ? null : (parseInstant(text) as Date))
  const rows = await selectCalls(db, organisationId, {
    statuses: (query.status?.split(',') as CallStatus[] | undefined) ?? null,
    agentId: query.agent_id ?? null,
    contactNumber: query.contact_number ?? null,
    createdFrom: instant(query.created_from),
    createdTo: instant(query.created_to),
    order: query.order ?? 'desc',
    after: query.cursor === undefined ? null : decodeCursor(query.cursor),
    limit: limit + 1,
  })
  return toPage(rows, limit, (call) => ({ at: call.createdAt, id: call.callId }))
}
