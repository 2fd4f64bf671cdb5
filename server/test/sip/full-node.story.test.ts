import type { Call } from '@parley/contract/calls'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { UserAgent } from '../../src/adapters/sip/user-agent.ts'
import { openAllTrunks, trunksVersion } from '../../src/agents/trunks.service.ts'
import { createVault } from '../../src/platform/secrets.ts'
import { createTestApp, type Organisation } from '../app.ts'
import { createTestDatabase } from '../database.ts'
import { answering, closeAgentsAtEnd, dialOptions, endOf, never, startAgent, trunkTo } from './agent.ts'
import { closeLinesAtEnd, startLines } from './lines.ts'

closeAgentsAtEnd()
closeLinesAtEnd()

const [rings, isRung] = ['+14155550140', '+14155550141']
const patience = { timeout: 30_000, interval: 200 }
const database = await createTestDatabase()
const deps = { db: database.db, vault: createVault('secret for tests only') }
/** Two pairs of ports: two calls have sound at once. */
const lines = startLines({
  rtpPorts: [25_700, 25_703],
  atOnce: true,
  trunks: () => openAllTrunks(deps),
  version: () => trunksVersion(database.db),
})
const t = await createTestApp({ database, workers: { telephony: { sip: lines } } })
const far = answering()
let phones: UserAgent
let org: Organisation

beforeAll(async () => {
  phones = await startAgent({ trunks: [trunkTo(1)], onInvite: far.onInvite })
  org = await t.organisation({
    trunks: [{ name: 'carrier', host: '127.0.0.1', port: phones.ports.udp, max_concurrent: 50, calls_per_second: 50 }],
    phone_numbers: [rings, isRung].map((number) => ({ number, carrier: 'sip', trunk: 'carrier', max_concurrent: 20 })),
    agents: [
      { name: 'Asha', number: rings },
      { name: 'Isha', type: 'inbound', number: isRung },
    ],
  })
  await vi.waitFor(() => expect(lines.ports()).not.toBeNull(), patience)
  await vi.waitFor(async () => expect((await phones.options(parley())).ok).toBe(true), patience)
})

const parley = () => trunkTo(lines.ports()?.udp ?? 1)
const calls = async (): Promise<Call[]> => (await t.send(org.key, 'GET', '/v1/calls?limit=100')).json().data
const count = async (status: string) => (await calls()).filter((each) => each.status === status).length

describe('a node whose lines are all taken', () => {
  it('lets further calls wait, turns callers away, and dials each once when a line is free', async () => {
    for (let i = 0; i < 4; i += 1) {
      const body = { agent_id: org.agentId, user_number: `+1500555014${i}` }
      expect((await t.send(org.key, 'POST', '/v1/calls', body)).statusCode).toBe(201)
    }
    await vi.waitFor(async () => expect(await count('in_progress')).toBe(2), patience)
    expect(await count('queued')).toBe(2)

    const caller = phones.dial(parley(), dialOptions({ to: isRung }), never)
    // The refusal comes before or after the carrier has said "trying".
    expect(await caller.then(endOf, (error: unknown) => error)).toMatchObject({ reason: 'no_answer' })
    expect(await calls()).toHaveLength(4)
    expect(far.calls).toHaveLength(2)

    for (const rung of [1, 2, 3, 4]) {
      await vi.waitFor(() => expect(far.calls.length).toBeGreaterThanOrEqual(rung), patience)
      await far.calls[rung - 1]?.hangup()
    }
    await vi.waitFor(async () => expect(await count('completed')).toBe(4), patience)
    expect(await calls()).toMatchObject(Array.from({ length: 4 }, () => ({ error: null, credits_consumed: 1 })))
    expect(far.calls).toHaveLength(4)
  })
})
