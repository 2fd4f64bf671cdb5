import { describe, expect, it } from 'vitest'
import { type AttemptFacts, judgeAttempt } from './verdict.ts'

const usual: AttemptFacts = {
  ok: false,
  number: 1,
  retryDelaysMs: [30_000, 120_000, 600_000, 3_600_000],
  priorFailures: 0,
  endpointIsEnabled: true,
  counts: true,
}

describe('the verdict on an attempt', () => {
  it('lets five attempts at 0, 30 s, 2 min, 10 min and 1 h pass, and no sixth (§6.1)', () => {
    const verdicts = [1, 2, 3, 4, 5].map((number) => judgeAttempt({ ...usual, number }))
    expect(verdicts.map((each) => each.nextDelayMs)).toEqual([30_000, 120_000, 600_000, 3_600_000, null])
    expect(verdicts.map((each) => each.delivery)).toEqual(['pending', 'pending', 'pending', 'pending', 'failed'])
  })

  it('switches an endpoint off at exactly 50 failures in a row (§6.1)', () => {
    expect(judgeAttempt({ ...usual, priorFailures: 48 })).toMatchObject({ failures: 49, disable: false })
    expect(judgeAttempt({ ...usual, priorFailures: 49 })).toEqual({
      delivery: 'held',
      nextDelayMs: null,
      failures: 50,
      disable: true,
      notice: 'disabled',
    })
  })

  it('calls a delivery failed, not held, when its last attempt is the fiftieth failure', () => {
    expect(judgeAttempt({ ...usual, number: 5, priorFailures: 49 })).toMatchObject({
      delivery: 'failed',
      disable: true,
    })
  })

  it('starts counting anew after a success', () => {
    expect(judgeAttempt({ ...usual, ok: true, priorFailures: 49 })).toMatchObject({
      delivery: 'succeeded',
      failures: 0,
      notice: 'recovered',
    })
  })

  it('warns at 10, 25 and 40, and only there (decisions 6)', () => {
    const warned = Array.from({ length: 49 }, (_, prior) => judgeAttempt({ ...usual, priorFailures: prior })).flatMap(
      ({ notice, failures }) => (notice === 'failing' ? [failures] : []),
    )
    expect(warned).toEqual([10, 25, 40])
  })

  it('tells of recovery only where a warning was given', () => {
    expect(judgeAttempt({ ...usual, ok: true, priorFailures: 9 }).notice).toBeNull()
    expect(judgeAttempt({ ...usual, ok: true, priorFailures: 10 }).notice).toBe('recovered')
  })

  it('lets a test event count for nothing, whatever comes of it (decisions 6)', () => {
    for (const ok of [true, false]) {
      expect(judgeAttempt({ ...usual, ok, counts: false, priorFailures: 49 })).toMatchObject({
        failures: 49,
        disable: false,
        notice: null,
      })
    }
  })

  it('holds what failed while its endpoint was being switched off, without counting on', () => {
    expect(judgeAttempt({ ...usual, priorFailures: 50, endpointIsEnabled: false })).toEqual({
      delivery: 'held',
      nextDelayMs: null,
      failures: 50,
      disable: false,
      notice: null,
    })
  })

  it('takes a success that comes in after its endpoint was switched off, and leaves it off', () => {
    expect(judgeAttempt({ ...usual, ok: true, priorFailures: 50, endpointIsEnabled: false })).toMatchObject({
      delivery: 'succeeded',
      failures: 50,
      notice: null,
    })
  })

  it('has as many attempts as the schedule says, plus the first', () => {
    expect(judgeAttempt({ ...usual, retryDelaysMs: [] }).delivery).toBe('failed')
    expect(judgeAttempt({ ...usual, retryDelaysMs: [5], number: 2 }).delivery).toBe('failed')
  })
})
