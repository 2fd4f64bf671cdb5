import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Call } from '@parley/contract/calls'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { SipCall } from '../../src/adapters/sip/call.ts'
import type { UserAgent } from '../../src/adapters/sip/user-agent.ts'
import { createFolderStorage } from '../../src/adapters/storage/folder.ts'
import { openAllTrunks, trunksVersion } from '../../src/agents/trunks.service.ts'
import type { Storage } from '../../src/media/ports.ts'
import { createVault } from '../../src/platform/secrets.ts'
import { DialRefused } from '../../src/voice/ports.ts'
import { createTestApp, type Organisation } from '../app.ts'
import { createTestDatabase } from '../database.ts'
import { closeAgentsAtEnd, dialOptions, endOf, never, startAgent, trunkTo, until } from './agent.ts'
import { closeLinesAtEnd, startLines } from './lines.ts'

closeAgentsAtEnd()
closeLinesAtEnd()

const numbers = { agent: '+14155550110', nobody: '+14155550111', poor: '+14155550112', wide: '+14155550113' }
const caller = '+15005551111'
const patience = { timeout: 30_000, interval: 100 }

/** Somebody else's telephones, which call Parley over the wire. */
let phones: UserAgent
let org: Organisation
let poor: Organisation
let isFull = false
const store = mkdtempSync(path.join(os.tmpdir(), 'parley-store-'))
afterAll(() => rmSync(store, { recursive: true, force: true }))

const database = await createTestDatabase()
const deps = { db: database.db, vault: createVault('secret for tests only') }
const lines = startLines({
  rtpPorts: [25_000, 25_099],
  atOnce: true,
  trunks: () => openAllTrunks(deps),
  version: () => trunksVersion(database.db),
})
const folder = createFolderStorage(store)
const put: Storage['put'] = (...what) => (isFull ? Promise.reject(new Error('full')) : folder.put(...what))
const t = await createTestApp({ database, workers: { telephony: { sip: lines }, storage: { ...folder, put } } })

beforeAll(async () => {
  phones = await startAgent()
  const trunk = { name: 'carrier', host: '127.0.0.1', port: 1 }
  org = await t.organisation({
    trunks: [{ ...trunk, max_concurrent: 5 }],
    phone_numbers: [
      { number: numbers.agent, carrier: 'sip', trunk: 'carrier', max_concurrent: 1 },
      { number: numbers.nobody, carrier: 'sip', trunk: 'carrier' },
      { number: numbers.wide, carrier: 'sip', trunk: 'carrier', max_concurrent: 5 },
    ],
    agents: [
      { name: 'Isha', type: 'inbound', number: numbers.agent, greeting: 'Hello {{user_number}}.' },
      { name: 'Asha', number: numbers.nobody },
      { name: 'Usha', type: 'inbound', number: numbers.wide },
    ],
  })
  await vi.waitFor(() => expect(lines.ports()).not.toBeNull(), patience)
  const parley = trunkTo(lines.ports()?.udp ?? 0)
  await vi.waitFor(async () => expect((await phones.options(parley)).ok).toBe(true), patience)
})

const ring = (to: string, from = caller): Promise<SipCall> =>
  phones.dial(trunkTo(lines.ports()?.udp ?? 0), dialOptions({ to, from }), never)
/** What the carrier is answered, whether before or after it counts as taken. */
const refusalOf = async (to: string): Promise<{ reason: string; status?: number | null }> => {
  try {
    return await endOf(await ring(to))
  } catch (error) {
    if (error instanceof DialRefused) return { reason: error.reason }
    throw error
  }
}
const callsOf = async (whose: Organisation): Promise<Call[]> =>
  (await t.send(whose.key, 'GET', '/v1/calls?limit=100')).json().data
const count = async () => Number((await t.db.query<{ count: string }>('select count(*) from calls'))[0]?.count)
const eventsOf = (callId: string) =>
  t.db.query<{ type: string; error: string | null }>(
    `select type, data->>'error' as error from events where call_id = $1 order by created_at, event_id`,
    [callId],
  )

describe('somebody calls', () => {
  it('a number we do not have, or one whose agent only calls out: refused, and nothing is stored', async () => {
    const before = await count()
    expect((await refusalOf('+14155559999')).reason).toBe('invalid_number')
    expect((await refusalOf(numbers.nobody)).reason).toBe('no_answer')
    expect(await count()).toBe(before)
  })

  it('and is greeted; a second caller finds the line busy, which is told as a failed call', async () => {
    const first = await ring(numbers.agent)
    await until(first, 'answered')
    expect((await refusalOf(numbers.agent)).reason).toBe('busy')
    const [busy, talking] = await callsOf(org)
    expect(busy).toMatchObject({
      status: 'failed',
      call_direction: 'inbound',
      call_from: caller,
      error: { code: 'busy' },
      scheduled_call_id: null,
    })
    expect(await eventsOf(busy?.call_id ?? '')).toEqual([{ type: 'call.failed', error: 'busy' }])
    const isGreeted = (call: Call) => Array.isArray(call.call_transcript) && call.call_transcript.length > 0
    const greeted = await t.untilCall(org.key, talking?.call_id ?? '', isGreeted)
    expect(greeted).toMatchObject({ status: 'in_progress', call_transcript: [{ text: `Hello ${caller}.` }] })
    await first.hangup()
    const over = await t.untilCall(org.key, talking?.call_id ?? '', (call) => call.call_analytics !== null)
    expect(over).toMatchObject({ status: 'completed', credits_consumed: 1, call_to: null })
    expect((await eventsOf(over.call_id)).map(({ type }) => type)).toEqual(['call.initiated', 'call.completed'])
  })

  it('over a trunk whose lines are all in use: busy, though the number has lines to spare', async () => {
    const limit = (lines: number) =>
      t.db.query('update trunks set max_concurrent = $2 where organisation_id = $1', [org.organisationId, lines])
    await limit(1)
    const first = await ring(numbers.wide)
    await until(first, 'answered')
    expect((await refusalOf(numbers.wide)).reason).toBe('busy')
    expect((await refusalOf(numbers.agent)).reason).toBe('busy')
    await limit(5)
    const second = await ring(numbers.wide)
    await until(second, 'answered')
    await Promise.all([first.hangup(), second.hangup()])
    await expect
      .poll(async () => (await callsOf(org)).filter((call) => call.status === 'in_progress').length, patience)
      .toBe(0)
  })

  it('with a number in the way of their carrier, or with none', async () => {
    for (const [written, known] of [
      ['0015005551112', '+15005551112'],
      ['15005551113', '+15005551113'],
      ['anonymous', null],
    ] as const) {
      const call = await ring(numbers.agent, written)
      await until(call, 'answered')
      await call.hangup()
      const [latest] = await callsOf(org)
      expect(latest).toMatchObject({ call_from: known, contact_number: known })
      await t.untilCall(org.key, latest?.call_id ?? '', (each) => each.call_analytics !== null)
    }
  })

  it('and nothing could be recorded: the outcome comes all the same, with the transcript in the event', async () => {
    isFull = true
    const ringing = await ring(numbers.agent)
    await until(ringing, 'answered')
    const [latest] = await callsOf(org)
    const id = latest?.call_id ?? ''
    await t.untilCall(org.key, id, ({ call_transcript: said }) => Array.isArray(said) && said.length > 0)
    await ringing.hangup()
    const over = await t.untilCall(org.key, id, (call) => call.call_analytics !== null)
    expect(over).toMatchObject({ status: 'completed', call_recording: null })
    const told = await t.db.query(
      `select has_media, data->'call_transcript'->0->>'speaker' as speaker from events where call_id = $1 and type = 'call.completed'`,
      [id],
    )
    expect(told).toEqual([{ has_media: false, speaker: 'agent' }])
    isFull = false
  })

  it('without credits nobody answers, and the call is disallowed', async () => {
    poor = await t.organisation({
      organisation: { name: 'Poor', credits: 0 },
      trunks: [{ name: 'own', host: '127.0.0.2', port: 1 }],
      phone_numbers: [{ number: numbers.poor, carrier: 'sip', trunk: 'own' }],
      agents: [{ name: 'Isha', type: 'inbound', number: numbers.poor }],
    })
    // Another organisation's carrier does not reach its numbers; one that both have does.
    expect((await refusalOf(numbers.poor)).reason).toBe('invalid_number')
    await t.db.query(
      `update trunks set host = '127.0.0.1', updated_at = clock_timestamp() where organisation_id = $1`,
      [poor.organisationId],
    )
    await expect.poll(async () => (await refusalOf(numbers.poor)).reason, { timeout: 30_000 }).toBe('no_answer')
    const [call] = await callsOf(poor)
    expect(call).toMatchObject({ status: 'disallowed', error: { code: 'insufficient_credits' } })
    expect(await eventsOf(call?.call_id ?? '')).toEqual([{ type: 'call.disallowed', error: 'insufficient_credits' }])
  })

  it('from an address of no trunk: refused', async () => {
    await t.db.query(`update trunks set host = '127.0.0.3', updated_at = clock_timestamp()`)
    const parley = trunkTo(lines.ports()?.udp ?? 0)
    await expect.poll(async () => (await phones.options(parley)).ok, { timeout: 30_000 }).toBe(false)
    const before = await count()
    expect((await refusalOf(numbers.agent)).reason).toBe('carrier_error')
    expect(await count()).toBe(before)
  })
})
