import type { Call } from '@parley/contract/calls'
import { describe, expect, it } from 'vitest'
import { claimCalls, judgeCandidates } from '../../src/calls/claim-calls.ts'
import { type CandidateRow, queueDueCalls } from '../../src/calls/due-calls.store.ts'
import { endCallsWithoutLine } from '../../src/calls/lost-calls.ts'
import { createTestApp, type Organisation } from '../app.ts'

const t = await createTestApp({ settings: { PARLEY_CALL_DELAY: '0s' } })
const due = async (org: Organisation, count = 1, number = '+15005551234') => {
  const ids: string[] = []
  for (let i = 0; i < count; i += 1) {
    const response = await t.send(org.key, 'POST', '/v1/calls', { agent_id: org.agentId, user_number: number })
    ids.push(response.json().data.call_id)
  }
  return ids
}
const claim = async (capacity = 100, node = 'node_a') => {
  await queueDueCalls(t.db, null, 1_000)
  return (await claimCalls(t.db, node, capacity)).map((call) => call.callId)
}
const get = async (org: Organisation, id: string) =>
  (await t.send(org.key, 'GET', `/v1/calls/${id}`)).json().data as Call
const land = () =>
  t.db.query(
    `update calls set status = 'failed', lease_owner = null where status in ('queued', 'initiated', 'ringing', 'in_progress')`,
  )

describe('due calls', () => {
  it('are claimed oldest first, within max_concurrent of their number; the rest wait as queued', async () => {
    const org = await t.organisation({ phone_numbers: [{ number: '+15005550000', max_concurrent: 3 }] })
    const ids = await due(org, 5)
    expect(await claim()).toEqual(ids.slice(0, 3))
    expect(await claim()).toEqual([])
    expect((await get(org, ids[0] ?? '')).status).toBe('initiated')
    expect((await get(org, ids[4] ?? '')).status).toBe('queued')
    await t.db.query(`update calls set status = 'completed' where call_id = $1`, [ids[1]])
    expect(await claim()).toEqual([ids[3]])
    await land()
  })

  it('of a busy organisation do not starve another', async () => {
    const busy = await t.organisation({ phone_numbers: [{ number: '+15005550000', max_concurrent: 100 }] })
    const quiet = await t.organisation()
    await due(busy, 20)
    const [late] = await due(quiet, 1)
    expect(await claim(5)).toContain(late)
    await land()
  })

  it('stay within the node capacity', async () => {
    const org = await t.organisation({ phone_numbers: [{ number: '+15005550000', max_concurrent: 100 }] })
    await due(org, 12)
    expect(await claim(4)).toHaveLength(4)
    expect(await claim(4)).toHaveLength(4)
    await land()
  })

  it('are claimed once by ten nodes at the same moment, and lines are never overfilled', async () => {
    const org = await t.organisation({ phone_numbers: [{ number: '+15005550000', max_concurrent: 7 }] })
    await due(org, 30)
    await queueDueCalls(t.db, null, 1_000)
    const claims = await Promise.all(Array.from({ length: 10 }, (_, i) => claimCalls(t.db, `node_${i}`, 5)))
    const ids = claims.flat().map((call) => call.callId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeLessThanOrEqual(7)
    await land()
  })

  it('that are not due are left alone', async () => {
    const org = await t.organisation()
    const body = { agent_id: org.agentId, user_number: '+15005551234', scheduled_time: '2027-06-01T10:00:00Z' }
    await t.send(org.key, 'POST', '/v1/calls', body)
    expect(await claim()).toEqual([])
  })

  it('whose agent has lost its number fail with agent_error', async () => {
    const org = await t.organisation()
    const [id = ''] = await due(org)
    await t.db.query('update agents set phone_number_id = null where agent_id = $1', [org.agentId])
    expect(await claim()).toEqual([])
    expect(await endCallsWithoutLine(t.db)).toBe(1)
    expect(await get(org, id)).toMatchObject({ status: 'failed', error: { code: 'agent_error' } })
  })
})

describe('cancel and dial compete for one row', () => {
  it('exactly one wins, every time', async () => {
    const org = await t.organisation({ organisation: { name: 'Race', plan: 'base', credits: 1_000 } })
    for (let round = 0; round < 15; round += 1) {
      const [id = ''] = await due(org)
      await queueDueCalls(t.db, null, 1_000)
      const [cancelled, claimed] = await Promise.all([
        t.send(org.key, 'POST', `/v1/calls/${id}/cancel`),
        claimCalls(t.db, 'node_a', 10),
      ])
      const dialled = claimed.some((call) => call.callId === id)
      expect(cancelled.statusCode).toBe(dialled ? 409 : 200)
      expect((await get(org, id)).status).toBe(dialled ? 'initiated' : 'cancelled')
    }
    await land()
  })
})

describe('decided at dial time', () => {
  const row = (organisation: string, doNotCall = false) =>
    ({ organisation_id: organisation, do_not_call: doNotCall }) as unknown as CandidateRow

  it('do-not-call comes before credits, and credits go to the oldest', () => {
    const { allowed, refused } = judgeCandidates(
      [row('a', true), row('a'), row('b'), row('a'), row('a')],
      new Map([['a', 2]]),
    )
    expect(allowed).toHaveLength(2)
    expect(refused.map((each) => each.code)).toEqual(['do_not_disturb', 'insufficient_credits', 'insufficient_credits'])
  })

  it('a number on the do-not-call list is disallowed, with the reason in the event', async () => {
    const org = await t.organisation({ do_not_call: ['+15005551234'] })
    const [id = ''] = await due(org)
    expect(await claim()).toEqual([])
    expect(await get(org, id)).toMatchObject({ status: 'disallowed', error: { code: 'do_not_disturb' } })
    const events = await t.db.query('select type, data from events where call_id = $1', [id])
    expect(events).toMatchObject([{ type: 'call.disallowed', data: { error: 'do_not_disturb', status: 'disallowed' } }])
  })

  it('a call without a free credit is disallowed; one hold per call in the air', async () => {
    const org = await t.organisation({ organisation: { name: 'Poor', plan: 'base', credits: 2 } })
    const ids = await due(org, 3)
    expect(await claim()).toEqual(ids.slice(0, 2))
    expect(await get(org, ids[2] ?? '')).toMatchObject({
      status: 'disallowed',
      error: { code: 'insufficient_credits' },
    })
    const [balance] = await t.db.query('select balance, held from credit_balances where organisation_id = $1', [
      org.organisationId,
    ])
    expect(balance).toEqual({ balance: '2', held: '2' })
    await land()
  })

  it('call.disallowed tells the very completed_at that the call shows', async () => {
    const org = await t.organisation({ organisation: { name: 'Times', plan: 'base', credits: 1 } })
    const ids = await due(org, 3)
    await claim()
    const disallowed = (await Promise.all(ids.map((id) => get(org, id)))).filter((call) => call.status === 'disallowed')
    expect(disallowed).toHaveLength(2)
    for (const { call_id, completed_at } of disallowed) {
      const [event] = await t.db.query<{ data: object }>('select data from events where call_id = $1', [call_id])
      expect(completed_at).not.toBeNull()
      expect(event?.data).toMatchObject({ status: 'disallowed', completed_at })
    }
    await land()
  })

  it('an organisation that never had credits is disallowed too', async () => {
    const org = await t.organisation({ organisation: { name: 'None', plan: 'base' } })
    const [id = ''] = await due(org)
    await claim()
    const { completed_at, ...call } = await get(org, id)
    expect(call).toMatchObject({ status: 'disallowed', error: { code: 'insufficient_credits' } })
    const [event] = await t.db.query<{ data: object }>('select data from events where call_id = $1', [id])
    expect(event?.data).toMatchObject({ completed_at })
  })
})
