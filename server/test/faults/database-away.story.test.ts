import { setTimeout as sleep } from 'node:timers/promises'
import type { Call } from '@parley/contract/calls'
import { afterAll, expect, it } from 'vitest'
import { openDatabase } from '../../src/platform/db.ts'
import { createTestApp } from '../app.ts'
import { createTestDatabase } from '../database.ts'
import { createWire } from './proxy.ts'

it('the database is away for 10 s in mid-call: the talk goes on, and all of it is written afterwards', async () => {
  const { db, url } = await createTestDatabase()
  const wire = await createWire(url)
  const behindWire = openDatabase({ url: wire.url, applicationName: 'behind the wire' })
  afterAll(async () => {
    await behindWire.close()
    wire.close()
  })
  // At this speed a call of half a minute takes about five seconds: it ends while the database is away.
  const settings = { PARLEY_SIMULATOR_SPEED: '6', PARLEY_CALL_DELAY: '0s' }
  const t = await createTestApp({ workers: {}, settings, database: { db: behindWire, url: wire.url } })
  const org = await t.organisation()
  const body = { agent_id: org.agentId, user_number: '+15005551234' }
  const { call_id } = (await t.send(org.key, 'POST', '/v1/calls', body)).json().data
  await t.untilCall(org.key, call_id, (call) => call.status === 'in_progress')
  await wire.cut()
  const refused = await t.send(org.key, 'GET', `/v1/calls/${call_id}`)
  expect(refused.statusCode).toBe(503)
  expect(refused.headers['retry-after']).toBe('2')
  expect(refused.json().error.code).toBe('UNAVAILABLE')
  await sleep(10_000)
  await wire.mend()
  const isDone = (call: Call) => call?.status === 'completed' && call.call_analytics !== null
  await expect
    .poll(async () => (await t.send(org.key, 'GET', `/v1/calls/${call_id}`)).statusCode, { timeout: 30_000 })
    .toBe(200)
  const call = await t.untilCall(org.key, call_id, isDone)
  expect(call.call_transcript?.at(-1)?.text).toMatch(/bye/i)
  expect(call.error).toBeNull()
  const [left] = await db.query('select held from credit_balances where organisation_id = $1', [org.organisationId])
  expect(left).toEqual({ held: '0' })
  const events = await db.query('select type from events where call_id = $1 order by created_at', [call_id])
  expect(events).toEqual([{ type: 'call.initiated' }, { type: 'call.completed' }])
})
