import type { Call } from '@parley/contract/calls'
import { expect, it } from 'vitest'
import { reportOverdueOutcomes } from '../../src/calls/end-calls.ts'
import { createTestApp, type TestApp } from '../app.ts'
import { clearAway } from '../clear-away.ts'

const over = (call: Call) => call.status === 'completed'
async function callOnce(t: TestApp): Promise<Call> {
  const org = await t.organisation()
  const body = { agent_id: org.agentId, user_number: '+15005551234' }
  const { call_id } = (await t.send(org.key, 'POST', '/v1/calls', body)).json().data
  return t.untilCall(org.key, call_id, over)
}
const completedEvents = (t: TestApp, callId: string) =>
  t.db.query<{ data: Record<string, unknown> }>(
    `select data from events where call_id = $1 and type = 'call.completed'`,
    [callId],
  )

it('an analysis that never ends: reported without it after its time, once', async () => {
  const analyse = () => {
    // Regression: the limit was held by nobody and went with the next clearing of memory.
    setTimeout(clearAway, 20)
    return new Promise<never>(() => {})
  }
  const t = await createTestApp({ workers: { analyst: { analyse }, analysisMs: 200 } })
  const call = await callOnce(t)
  await expect.poll(() => completedEvents(t, call.call_id), { timeout: 20_000 }).toHaveLength(1)
  const [event] = await completedEvents(t, call.call_id)
  expect(event?.data).toMatchObject({ call_analytics: null, extracted_details: null, status: 'completed' })
})

it('an analysis that throws: reported without it', async () => {
  const fail = async () => {
    throw new Error('model away')
  }
  const t = await createTestApp({ workers: { analyst: { analyse: fail } } })
  const call = await callOnce(t)
  await expect.poll(() => completedEvents(t, call.call_id), { timeout: 20_000 }).toHaveLength(1)
})

it('a node that died between the end and the analysis: another reports the outcome when it is due, once', async () => {
  const t = await createTestApp({ workers: { analyst: { analyse: () => new Promise(() => {}) }, analysisMs: 60_000 } })
  const call = await callOnce(t)
  expect(await reportOverdueOutcomes(t.db)).toBe(0)
  await t.db.query(`update calls set outcome_due_at = now() - interval '1 second' where call_id = $1`, [call.call_id])
  const counts = await Promise.all([
    reportOverdueOutcomes(t.db),
    reportOverdueOutcomes(t.db),
    reportOverdueOutcomes(t.db),
  ])
  expect(counts.reduce((a, b) => a + b)).toBe(1)
  expect(await completedEvents(t, call.call_id)).toHaveLength(1)
})
