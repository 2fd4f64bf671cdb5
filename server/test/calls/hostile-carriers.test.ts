import type { Call } from '@parley/contract/calls'
import { describe, expect, it } from 'vitest'
import { createSimulator } from '../../src/adapters/simulator/simulator.ts'
import { type Brain, type CallLeg, DialRefused, type LegEvent, type Telephony } from '../../src/voice/ports.ts'
import { usualLimits } from '../../src/voice/turn.ts'
import type { WorkersDeps } from '../../src/workers.ts'
import { createTestApp } from '../app.ts'
import { clearAway } from '../clear-away.ts'

/** A leg that reports just these events, then whatever `after` does; counts hang-ups. */
function scriptedLeg(events: LegEvent[], after?: () => Promise<void>): CallLeg & { hangups: number } {
  let hungUp = () => {}
  const gone = new Promise<void>((resolve) => {
    hungUp = resolve
  })
  const leg = {
    hangups: 0,
    events: (async function* () {
      yield* events
      await after?.()
      if (events.at(-1)?.type === 'ended') return
      await gone
      yield { type: 'ended', end: { reason: 'hangup', by: 'agent' } } as const
    })(),
    speech: {
      say: async (text: string) => ({ heard: text, startedAt: 1 }),
      listen: async () => {
        await gone
        return { type: 'gone' } as const
      },
      seconds: () => 7,
    },
    hangup: async () => {
      leg.hangups += 1
      hungUp()
    },
  }
  return leg
}
const carrier = (dial: Telephony['dial']): Telephony => ({ dial, close: async () => {} })
const never = new Promise<never>(() => {})

async function outcomeOf(parts: Partial<WorkersDeps>, retry?: object): Promise<{ call: Call; next: unknown }> {
  const t = await createTestApp({ workers: { limits: { ...usualLimits, turnMs: 300, toolMs: 300 }, ...parts } })
  const agents = [{ name: 'Asha', number: '+15005550000', ...(retry ? { retry } : {}) }]
  const org = await t.organisation({ agents })
  const body = { agent_id: org.agentId, user_number: '+15005551234' }
  const { call_id } = (await t.send(org.key, 'POST', '/v1/calls', body)).json().data
  const isDone = (call: Call) => call.status === 'failed' || call.status === 'completed'
  const call = await t.untilCall(org.key, call_id, isDone)
  // Nothing stays behind: no call in the air, no hold.
  await t.stopWorkers()
  const [left] = await t.db.query<{ held: string; air: string }>(
    `select (select held from credit_balances where organisation_id = $1),
       (select count(*) from calls where status in ('initiated', 'ringing', 'in_progress')) as air`,
    [org.organisationId],
  )
  expect(left).toEqual({ held: '0', air: '0' })
  return { call, next: call.scheduled_call_id }
}

describe('a carrier that', () => {
  it('refuses: the call fails with its reason', async () => {
    const refuse = carrier(async () => {
      throw new DialRefused('invalid_number', 'no such number')
    })
    const { call } = await outcomeOf({ telephony: { simulator: refuse } })
    expect(call).toMatchObject({ status: 'failed', error: { code: 'invalid_number' } })
  })

  it('breaks while it is asked: nobody knows, nobody dials again', async () => {
    let dials = 0
    const broken = carrier(async () => {
      dials += 1
      throw new Error('socket hang up')
    })
    const { call } = await outcomeOf({ telephony: { simulator: broken } })
    expect(call).toMatchObject({ status: 'failed', error: { code: 'dial_outcome_unknown' } })
    expect(dials).toBe(1)
  })

  it('never says whether it took the call: ended after the time for it, as unknown', async () => {
    const silent = carrier(() => {
      // Regression: the limit was held by nobody, went with the next clearing of memory, and the call hung for ever.
      setTimeout(clearAway, 20)
      return never
    })
    const { call } = await outcomeOf({ telephony: { simulator: silent }, dialMs: 300 })
    expect(call).toMatchObject({ status: 'failed', error: { code: 'dial_outcome_unknown' } })
  })

  it('is not there at all: carrier_error', async () => {
    const { call } = await outcomeOf({ telephony: {} })
    expect(call).toMatchObject({ status: 'failed', error: { code: 'carrier_error' } })
  })

  it('reports answered twice: one conversation', async () => {
    const leg = scriptedLeg([{ type: 'ringing' }, { type: 'answered' }, { type: 'answered' }])
    const { call } = await outcomeOf({ telephony: { simulator: carrier(async () => leg) }, createBrain: () => goodbye })
    expect(call).toMatchObject({ status: 'completed', call_duration_seconds: 7 })
    expect(call.call_transcript).toHaveLength(1)
    expect(leg.hangups).toBeGreaterThan(0)
  })

  it('ends before it rings: failed with its reason', async () => {
    const leg = scriptedLeg([{ type: 'ended', end: { reason: 'busy', by: 'callee' } }])
    const { call } = await outcomeOf({ telephony: { simulator: carrier(async () => leg) } })
    expect(call).toMatchObject({ status: 'failed', error: { code: 'busy' } })
  })

  it('skips ringing: in_progress straight from initiated', async () => {
    const leg = scriptedLeg([{ type: 'answered' }])
    const { call } = await outcomeOf({ telephony: { simulator: carrier(async () => leg) }, createBrain: () => goodbye })
    expect(call.status).toBe('completed')
  })

  it('stops telling in the middle: carrier_error, and the retry policy decides', async () => {
    const leg = scriptedLeg([{ type: 'ringing' }], () => Promise.reject(new Error('lost')))
    const retry = { max_attempts: 2, delay: '1h', on: ['carrier_error'] }
    const { call, next } = await outcomeOf({ telephony: { simulator: carrier(async () => leg) } }, retry)
    expect(call).toMatchObject({ status: 'failed', error: { code: 'carrier_error' } })
    expect(next).toMatch(/^call_/)
    expect(leg.hangups).toBeGreaterThan(0)
  })
})

const goodbye: Brain = {
  turn: async function* () {
    yield { say: 'Goodbye.' }
    yield { tool: 'end_call', args: { reason: 'done' } }
  },
}

describe('a brain that', () => {
  const simulator = createSimulator({ speed: 5_000 })
  const outcomeWith = (turn: Brain['turn']) => outcomeOf({ telephony: { simulator }, createBrain: () => ({ turn }) })

  it('throws: agent_error', async () => {
    const { call } = await outcomeWith(() => {
      throw new Error('bug')
    })
    expect(call).toMatchObject({ status: 'failed', error: { code: 'agent_error' }, credits_consumed: null })
  })

  it('never answers: agent_error after its time', async () => {
    const { call } = await outcomeWith(async function* () {
      yield await never
    })
    expect(call).toMatchObject({ status: 'failed', error: { code: 'agent_error' } })
  })

  it('talks for ever: cut off, agent_error', async () => {
    const { call } = await outcomeWith(async function* () {
      for (;;) yield { say: 'And another thing.' }
    })
    expect(call).toMatchObject({ status: 'failed', error: { code: 'agent_error' } })
    expect(call.call_transcript?.length).toBeLessThan(30)
  })

  it('uses tools without end: agent_error', async () => {
    const { call } = await outcomeWith(async function* () {
      yield { tool: 'list_slots', args: {} }
    })
    expect(call).toMatchObject({ status: 'failed', error: { code: 'agent_error' } })
  })

  it('leaves nothing open at the carrier', () => {
    expect(simulator.openLegs()).toBe(0)
  })
})
