import type { CancelledCall, DeletedCall } from '@parley/contract/calls'
import type { HookBody } from '@parley/contract/hooks'
import { cancelCall } from '../calls/calls.service.ts'
import type { CreateCallDeps } from '../calls/create-call.ts'
import { type EraseCallDeps, eraseCallWithin, removeErasedFiles } from '../calls/erase-call.ts'
import { newCallFaults } from '../calls/new-call.ts'
import { refusedCallFaults } from '../calls/refuse-call.ts'
import { requestCall } from '../calls/request-call.ts'
import type { Queryable } from '../platform/db.ts'
import { type Fault, ParleyError } from '../platform/errors.ts'
import { answerOnce, type IdempotencyClaim, type OnceAnswered } from '../platform/idempotency.ts'

export type RunActionDeps = CreateCallDeps & EraseCallDeps
export type ActionAnswer = OnceAnswered & { status: 200 | 201 }

/** The rules of §4.5 a schema cannot say; takes any object, so its faults join the schema's in one answer. */
export function actionFaults({ action, data }: Record<string, unknown>, now: Date): Fault[] {
  return isCreate(action, data) ? newCallFaults(data, now, 'contact').map(insideData) : []
}

/** Of a request that is refused anyway. */
export const refusedActionFaults = async (
  db: Queryable,
  organisationId: string,
  { action, data }: Record<string, unknown>,
): Promise<Fault[]> =>
  isCreate(action, data) ? (await refusedCallFaults(db, organisationId, data)).map(insideData) : []

const isCreate = (action: unknown, data: unknown): data is Record<string, unknown> =>
  action === 'call.create' && typeof data === 'object' && data !== null

export async function runAction(
  deps: RunActionDeps,
  organisationId: string,
  { action, data }: HookBody,
  claim: IdempotencyClaim | null,
): Promise<ActionAnswer> {
  switch (action) {
    case 'call.create':
      return { ...(await create(deps, organisationId, data, claim)), status: 201 }
    case 'call.cancel': {
      const cancelled = await answerOnce(deps.db, claim, async (tx) => {
        const cancelledAt = await cancelCall(tx, organisationId, data.call_id)
        const body: CancelledCall = {
          data: { call_id: data.call_id, status: 'cancelled', cancelled_at: cancelledAt.toISOString() },
        }
        return JSON.stringify(body)
      })
      return { ...cancelled, status: 200 }
    }
    case 'call.delete': {
      const deleted = await answerOnce(deps.db, claim, async (tx) => {
        await eraseCallWithin(tx, organisationId, data.call_id, 'hook')
        const body: DeletedCall = { data: { call_id: data.call_id, deleted: true } }
        return JSON.stringify(body)
      })
      await removeErasedFiles(deps)
      return { ...deleted, status: 200 }
    }
  }
}

type CreateData = Extract<HookBody, { action: 'call.create' }>['data']

async function create(
  deps: RunActionDeps,
  organisationId: string,
  data: CreateData,
  claim: IdempotencyClaim | null,
): Promise<OnceAnswered> {
  try {
    return await requestCall(deps, { organisationId, uncheckedKeyId: null }, { body: data, source: 'hook' }, claim)
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error
    const { code, message, headers } = error
    throw new ParleyError(code, message, { headers, details: error.details.map(insideData) })
  }
}

/** The rules of calls know nothing of the hook's envelope. */
const insideData = (each: Fault): Fault => ({ ...each, field: `data.${each.field}` })
