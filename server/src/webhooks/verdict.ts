/** §6.1: an endpoint is switched off after this many failed attempts in a row. */
export const disableAt = 50
/** Decisions 6. */
export const warnAt: readonly number[] = [10, 25, 40]

export type AttemptFacts = {
  ok: boolean
  /** This attempt's place on its ladder: 1 for the first. */
  number: number
  retryDelaysMs: readonly number[]
  /** Failed attempts in a row of this endpoint before this one. */
  priorFailures: number
  endpointIsEnabled: boolean
  /** A test event's attempt counts for nothing. */
  counts: boolean
}

export type Verdict = {
  delivery: 'succeeded' | 'pending' | 'failed' | 'held'
  /** How long after the end of this attempt the next one is due. */
  nextDelayMs: number | null
  failures: number
  disable: boolean
  notice: 'failing' | 'disabled' | 'recovered' | null
}

/** Decides; recording is somebody else's. */
export function judgeAttempt(facts: AttemptFacts): Verdict {
  const { priorFailures, counts, endpointIsEnabled } = facts
  if (facts.ok) {
    const wasFailing = counts && priorFailures >= (warnAt[0] ?? 0)
    const failures = counts && endpointIsEnabled ? 0 : priorFailures
    const notice = wasFailing && endpointIsEnabled ? 'recovered' : null
    return { delivery: 'succeeded', nextDelayMs: null, failures, disable: false, notice }
  }
  // A send that was under way when the endpoint was switched off: counted enough, kept for a replay.
  if (!endpointIsEnabled) {
    return { delivery: 'held', nextDelayMs: null, failures: priorFailures, disable: false, notice: null }
  }
  const failures = counts ? priorFailures + 1 : priorFailures
  const disable = counts && failures >= disableAt
  const nextDelayMs = facts.retryDelaysMs[facts.number - 1] ?? null
  const notice = disable ? 'disabled' : counts && warnAt.includes(failures) ? 'failing' : null
  if (nextDelayMs === null) return { delivery: 'failed', nextDelayMs, failures, disable, notice }
  return {
    delivery: disable ? 'held' : 'pending',
    nextDelayMs: disable ? null : nextDelayMs,
    failures,
    disable,
    notice,
  }
}
