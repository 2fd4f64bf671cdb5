import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { claimCalls } from '../../src/calls/claim-calls.ts'
import { queueDueCalls } from '../../src/calls/due-calls.store.ts'
import type { ApplyFile } from '../../src/cli/apply-file.ts'
import { createTestApp, type Organisation } from '../app.ts'

const t = await createTestApp({ settings: { PARLEY_CALL_DELAY: '0s' } })

let line = 0
const ownNumber = () => {
  line += 1
  return `+1415555${String(line).padStart(4, '0')}`
}
const trunk = { name: 'carrier', host: '192.0.2.1' }

/** An organisation whose numbers share one trunk, an agent on each. */
async function withTrunk(limits: object, numbers: { max_concurrent?: number }[] = [{}], more: Partial<ApplyFile> = {}) {
  const own = numbers.map((each) => ({ number: ownNumber(), carrier: 'sip' as const, trunk: 'carrier', ...each }))
  return t.organisation({
    trunks: [{ ...trunk, ...limits }],
    phone_numbers: own,
    agents: own.map(({ number }, i) => ({ name: `Agent ${i}`, number })),
    ...more,
  })
}
const due = async (org: Organisation, count: number, agent = 0) => {
  const ids: string[] = []
  for (let i = 0; i < count; i += 1) {
    const body = { agent_id: org.agents[agent]?.agent_id, user_number: '+15005551234' }
    ids.push((await t.send(org.key, 'POST', '/v1/calls', body)).json().data.call_id)
  }
  return ids
}
const claim = async (node = 'node_a') => {
  await queueDueCalls(t.db, null, 1_000)
  return (await claimCalls(t.db, node, 100)).map((call) => call.callId)
}
const land = () =>
  t.db.query(
    `update calls set status = 'failed', lease_owner = null where status in ('queued', 'initiated', 'ringing', 'in_progress')`,
  )

describe('calls over one trunk', () => {
  it('stay within its max_concurrent, all its numbers together; the rest wait as queued, oldest first', async () => {
    const org = await withTrunk({ max_concurrent: 3, calls_per_second: 100 }, [{}, {}])
    const [a1, a2] = await due(org, 2, 0)
    const [b1, b2] = await due(org, 2, 1)
    expect(await claim()).toEqual([a1, a2, b1])
    expect(await claim()).toEqual([])
    await t.db.query(`update calls set status = 'completed' where call_id = $1`, [a1])
    expect(await claim()).toEqual([b2])
    await land()
  })

  it("stay within the number's max_concurrent too", async () => {
    const org = await withTrunk({ max_concurrent: 50, calls_per_second: 100 }, [{ max_concurrent: 2 }])
    await due(org, 4)
    expect(await claim()).toHaveLength(2)
    await land()
  })

  it('are dialled at most calls_per_second in a second, however soon the ones before ended', async () => {
    const org = await withTrunk({ max_concurrent: 100, calls_per_second: 2 })
    const ids = await due(org, 5)
    expect(await claim()).toEqual(ids.slice(0, 2))
    await t.db.query(`update calls set status = 'failed', lease_owner = null where call_id = any($1)`, [
      ids.slice(0, 2),
    ])
    expect(await claim()).toEqual([])
    await sleep(1_200)
    expect(await claim()).toEqual(ids.slice(2, 4))
    await land()
  })

  it('are never more than that when ten nodes claim at the same moment', async () => {
    const org = await withTrunk({ max_concurrent: 5, calls_per_second: 100 }, [{}, {}, {}])
    for (const agent of [0, 1, 2]) await due(org, 4, agent)
    await queueDueCalls(t.db, null, 1_000)
    const claims = Array.from({ length: 10 }, (_, i) => claimCalls(t.db, `node_${i}`, 100))
    const taken = (await Promise.all(claims)).flat().map((call) => call.callId)
    expect(taken).toHaveLength(5)
    expect(new Set(taken).size).toBe(5)
    await land()
  })

  it('are no more than the node has lines for; whoever needs none goes on', async () => {
    const limits = { max_concurrent: 50, calls_per_second: 100 }
    const [full, one, simulated] = [
      await withTrunk(limits, [{ max_concurrent: 1 }]),
      await withTrunk(limits),
      await t.organisation(),
    ]
    await due(full, 3)
    await due(one, 3)
    await due(simulated, 2)
    await queueDueCalls(t.db, null, 1_000)
    const carriersOf = async (realLines: number) =>
      (await claimCalls(t.db, 'node_a', 100, realLines)).map(({ carrier }) => carrier).sort()
    expect(await carriersOf(0)).toEqual(['simulator', 'simulator'])
    expect(await carriersOf(2)).toEqual(['sip', 'sip'])
    // Calls that wait for their own number take no line from the others.
    expect(await carriersOf(2)).toEqual(['sip', 'sip'])
    expect(await carriersOf(-1)).toEqual([])
    await land()
  })

  it('do not hold up an organisation that has no trunk', async () => {
    const slow = await withTrunk({ max_concurrent: 1, calls_per_second: 1 })
    const simulated = await t.organisation()
    await due(slow, 5)
    const others = await due(simulated, 3)
    expect(await claim()).toEqual(expect.arrayContaining(others))
    await land()
  })

  it('carry the trunk and what to do about a machine that answers', async () => {
    const number = ownNumber()
    const org = await t.organisation({
      trunks: [trunk],
      phone_numbers: [{ number, carrier: 'sip', trunk: 'carrier' }],
      agents: [{ name: 'Asha', number, voicemail: { action: 'leave_message', message: 'Call us, {{user_name}}.' } }],
    })
    const body = { agent_id: org.agentId, user_number: '+15005551234', user_name: 'Maya' }
    await t.send(org.key, 'POST', '/v1/calls', body)
    await queueDueCalls(t.db, null, 1_000)
    const [call] = await claimCalls(t.db, 'node_a', 100)
    expect(call).toMatchObject({
      carrier: 'sip',
      trunkId: org.trunks[0]?.trunk_id,
      voicemail: { action: 'leave_message', message: 'Call us, Maya.' },
    })
    await land()
  })
})
