import type { Database, Transaction } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'
import {
  type AttemptToRecord,
  holdPending,
  insertNotices,
  type JudgedAttempt,
  type LockedEndpoint,
  lockEndpoints,
  lockFenced,
  type NewNotice,
  recordJudged,
  recordSuccesses,
  updateFailures,
} from './attempts.store.ts'
import { judgeAttempt } from './verdict.ts'

export type FinishedAttempt = AttemptToRecord & {
  endpointId: string
  /** Its place on its ladder: 1 for the first. */
  number: number
  counts: boolean
  /** By the clock of performance.now(). */
  endedAtMs: number
}

/** 'late': somebody else has this delivery by now, or it is gone; nothing was written. */
export type Recorded = JudgedAttempt['status'] | 'late'

/** Results in the order in which they came in. */
export async function recordAttempts(
  db: Database,
  attempts: FinishedAttempt[],
  retryDelaysMs: readonly number[],
): Promise<{ recorded: Recorded[]; notices: NewNotice[] }> {
  const isPlain = (each: FinishedAttempt) => each.failure === null && each.counts
  const taken = attempts.every(isPlain) ? await recordSuccesses(db, attempts) : new Set<string>()
  const rest = attempts.filter((each) => !taken.has(each.deliveryId))
  const judged =
    rest.length > 0
      ? await db.transaction((tx) => judgeAndRecord(tx, rest, retryDelaysMs))
      : { statuses: new Map<string, Recorded>(), notices: [] }
  const recorded = attempts.map(
    (each): Recorded => (taken.has(each.deliveryId) ? 'succeeded' : (judged.statuses.get(each.deliveryId) ?? 'late')),
  )
  return { recorded, notices: judged.notices }
}

/** Counter, verdict and log of each attempt are one transaction: exactly the fiftieth failure switches an endpoint off. */
async function judgeAndRecord(tx: Transaction, attempts: FinishedAttempt[], retryDelaysMs: readonly number[]) {
  const locked = await lockEndpoints(tx, [...new Set(attempts.map((each) => each.endpointId))])
  const endpoints = new Map(locked.map((each) => [each.endpointId, { ...each, before: each }]))
  const fenced = await lockFenced(tx, attempts)
  const judged: JudgedAttempt[] = []
  const notices: NewNotice[] = []
  for (const attempt of attempts) {
    const endpoint = endpoints.get(attempt.endpointId)
    if (!endpoint || !fenced.has(attempt.deliveryId)) continue
    const verdict = judgeAttempt({
      ok: attempt.failure === null,
      number: attempt.number,
      retryDelaysMs,
      priorFailures: endpoint.failures,
      endpointIsEnabled: endpoint.isEnabled,
      counts: attempt.counts,
    })
    endpoint.failures = verdict.failures
    if (verdict.disable) endpoint.isEnabled = false
    // What has passed since the attempt's end counts towards the wait; the database's clock is read later than ours.
    const sinceEndMs = performance.now() - attempt.endedAtMs
    const dueInMs = verdict.nextDelayMs === null ? null : Math.max(0, verdict.nextDelayMs - sinceEndMs)
    judged.push({ ...attempt, status: verdict.delivery, dueInMs })
    if (verdict.notice) notices.push(toNotice(endpoint, verdict.notice, attempt))
  }
  await recordJudged(tx, judged)
  const changed = [...endpoints.values()]
    .map((each) => ({ ...each, disable: each.before.isEnabled && !each.isEnabled }))
    .filter((each) => each.disable || each.failures !== each.before.failures)
  if (changed.length > 0) await updateFailures(tx, changed)
  const disabled = changed.filter((each) => each.disable).map((each) => each.endpointId)
  if (disabled.length > 0) await holdPending(tx, disabled)
  if (notices.length > 0) await insertNotices(tx, notices)
  return { statuses: new Map<string, Recorded>(judged.map((each) => [each.deliveryId, each.status])), notices }
}

const toNotice = (endpoint: LockedEndpoint, kind: NewNotice['kind'], attempt: FinishedAttempt): NewNotice => ({
  noticeId: newId('notice'),
  organisationId: endpoint.organisationId,
  endpointId: endpoint.endpointId,
  kind,
  failures: endpoint.failures,
  lastFailure: attempt.failure && `${attempt.failure}${attempt.statusCode ? ` ${attempt.statusCode}` : ''}`,
})
