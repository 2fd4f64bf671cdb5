import { randomUUID } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, it } from 'vitest'
import { grantCredits } from '../../src/credits/credits.service.ts'
import { forgetOldHookRequests } from '../../src/hooks/hooks.service.ts'
import { testClock } from '../app.ts'
import { createTestDatabase } from '../database.ts'
import {
  countCalls,
  createBody,
  createNode,
  expectRefused,
  post,
  secretOf,
  signed,
  tokenOf,
  unixSeconds,
  usedQuota,
} from './hook.ts'

const clock = testClock()
const database = await createTestDatabase()
const { db } = database
const nodes = [await createNode(database.url, { clock }), await createNode(database.url, { clock })] as const
const [t] = nodes
const on = (at: number) => nodes[at % 2 === 0 ? 0 : 1]
const org = await t.organisation()
const signing = { name: 'Signing', plan: 'professional', credits: 1_000, inbound: { signing: true } } as const
const safe = await t.organisation({ organisation: signing })
const newKey = () => `key-${randomUUID()}`
const fifty = (send: (at: number) => Promise<LightMyRequestResponse>) =>
  Promise.all(Array.from({ length: 50 }, (_, at) => send(at)))
const replayed = (answer: LightMyRequestResponse) => answer.headers['idempotent-replayed'] === 'true'
const now = () => unixSeconds(clock.now())
const statusesOf = (answers: LightMyRequestResponse[]) => answers.map((each) => each.statusCode).toSorted()

const keyed = (idempotency_key: string, data: object = {}) => createBody(org, { idempotency_key, ...data })
const ask = (body: unknown, headers = {}, at = 0) => post(on(at), tokenOf(org), body, headers)

describe('an idempotency key on the hook', () => {
  it.each(['as data.idempotency_key', 'as a header'])('%s: the first answer again, byte for byte', async (how) => {
    const key = newKey()
    const send = (at: number) =>
      how === 'as a header' ? ask(createBody(org), { 'idempotency-key': key }, at) : ask(keyed(key), {}, at)
    const before = await countCalls(t, org)
    const first = await send(0)
    expect([first.statusCode, replayed(first)]).toEqual([201, false])
    for (const at of [0, 1]) {
      const again = await send(at)
      expect([again.statusCode, replayed(again)]).toEqual([201, true])
      expect(again.rawPayload.equals(first.rawPayload)).toBe(true)
      expect(again.headers['content-type']).toBe(first.headers['content-type'])
    }
    expect((await countCalls(t, org)) - before).toBe(1)
  })

  it('fifty at once on two nodes: one call, fifty equal answers', async () => {
    for (let round = 0; round < 3; round += 1) {
      const body = keyed(newKey())
      const before = await countCalls(t, org)
      const answers = await fifty((at) => ask(body, {}, at))
      expect(new Set(statusesOf(answers))).toEqual(new Set([201]))
      expect(new Set(answers.map((each) => each.body)).size).toBe(1)
      expect(answers.filter((each) => !replayed(each))).toHaveLength(1)
      expect((await countCalls(t, org)) - before).toBe(1)
    }
  })

  it('with another body, also of another action: 422', async () => {
    const key = newKey()
    const { call_id } = (await ask(keyed(key))).json().data
    expectRefused(await ask(keyed(key, { contact_name: 'Other' })), 422, 'IDEMPOTENCY_KEY_REUSED')
    const cancel = { action: 'call.cancel', data: { call_id, idempotency_key: key } }
    expectRefused(await ask(cancel), 422, 'IDEMPOTENCY_KEY_REUSED')
    expect((await t.send(org.key, 'GET', `/v1/calls/${call_id}`)).json().data.status).toBe('scheduled')
  })

  it('in header and data: equal is one, different is 400', async () => {
    const key = newKey()
    expect((await ask(keyed(key), { 'idempotency-key': key })).statusCode).toBe(201)
    const answer = await ask(keyed(newKey()), { 'idempotency-key': newKey() })
    expectRefused(answer, 400, 'VALIDATION_ERROR')
    expect(answer.json().error.details).toEqual([expect.objectContaining({ field: 'data.idempotency_key' })])
  })

  it.each(['', 'with space', 'é', 'k'.repeat(256)])('%j is no key: 400', async (key) => {
    expectRefused(await ask(keyed(key)), 400, 'VALIDATION_ERROR')
    if (key !== 'é') expectRefused(await ask(createBody(org), { 'idempotency-key': key }), 400, 'VALIDATION_ERROR')
  })

  it('255 characters are a key', async () => {
    expect((await ask(keyed(`${newKey()}${'k'.repeat(255)}`.slice(0, 255)))).statusCode).toBe(201)
  })

  it('is its own on the hook, and its own in each organisation', async () => {
    const key = newKey()
    const other = await t.organisation()
    const hooked = await ask(keyed(key))
    const api = await t.send(
      org.key,
      'POST',
      '/v1/calls',
      { agent_id: org.agentId, user_number: '+15005550001' },
      { 'idempotency-key': key },
    )
    const theirs = await post(t, tokenOf(other), createBody(other, { idempotency_key: key }))
    const ids = [hooked, api, theirs].map((each) => each.json().data.call_id)
    expect(new Set(ids).size).toBe(3)
  })

  it('is not used up by a refused request', async () => {
    const key = newKey()
    const poor = await t.organisation({ organisation: { name: 'Poor' } })
    const send = (data = {}) => post(t, tokenOf(poor), createBody(poor, { idempotency_key: key, ...data }))
    expectRefused(await send({ contact_number: '+1' }), 400, 'INVALID_PHONE_NUMBER')
    expectRefused(await send(), 402, 'INSUFFICIENT_CREDITS')
    await t.db.transaction((tx) => grantCredits(tx, poor.organisationId, 1))
    const made = await send()
    expect([made.statusCode, replayed(made)]).toEqual([201, false])
  })

  it('still answers the same when time and credits have run out meanwhile', async () => {
    const own = await t.organisation({ organisation: { name: 'Own', credits: 1 } })
    const scheduled_time = new Date(clock.now().getTime() + 5_000).toISOString()
    const body = createBody(own, { idempotency_key: newKey(), scheduled_time })
    const later = createBody(own, { idempotency_key: newKey() })
    const firsts = [await post(t, tokenOf(own), body), await post(t, tokenOf(own), later)]
    clock.advance(6_000)
    await t.db.query('update credit_balances set held = balance where organisation_id = $1', [own.organisationId])
    const agains = [await post(t, tokenOf(own), body), await post(t, tokenOf(own), later)]
    expect(agains.map((each) => [each.statusCode, each.body])).toEqual(firsts.map((each) => [201, each.body]))
    expect(agains.map(replayed)).toEqual([true, true])
  })

  it('makes call.delete safe to repeat: fifty at once erase once and answer the same', async () => {
    const { call_id } = (await ask(createBody(org))).json().data
    await db.query(`update calls set status = 'completed', answered_at = now() where call_id = $1`, [call_id])
    const body = { action: 'call.delete', data: { call_id, idempotency_key: newKey() } }
    const answers = await fifty((at) => ask(body, {}, at))
    expect(new Set(statusesOf(answers))).toEqual(new Set([200]))
    expect(answers[0]?.json()).toEqual({ data: { call_id, deleted: true } })
    expect(new Set(answers.map((each) => each.body)).size).toBe(1)
    expect(answers.filter((each) => !replayed(each))).toHaveLength(1)
    const audit = await db.query('select 1 from audit_log where resource_id = $1', [call_id])
    expect(audit).toHaveLength(1)
    expectRefused(await ask({ action: 'call.delete', data: { call_id } }), 404, 'NOT_FOUND')
  })

  it('of an erased call answers 404 and never dials again', async () => {
    const body = keyed(newKey())
    const { call_id } = (await ask(body)).json().data
    await db.query(`update calls set status = 'completed', answered_at = now() where call_id = $1`, [call_id])
    expect((await ask({ action: 'call.delete', data: { call_id } })).statusCode).toBe(200)
    const before = await countCalls(t, org)
    expectRefused(await ask(body), 404, 'NOT_FOUND')
    expect(await countCalls(t, org)).toBe(before)
  })

  it('makes call.cancel answer the same again; a refused one is not remembered', async () => {
    const { call_id } = (await ask(createBody(org))).json().data
    const body = { action: 'call.cancel', data: { call_id, idempotency_key: newKey() } }
    await db.query(`update calls set status = 'ringing' where call_id = $1`, [call_id])
    expectRefused(await ask(body), 409, 'CALL_NOT_CANCELLABLE')
    await db.query(`update calls set status = 'scheduled' where call_id = $1`, [call_id])
    const first = await ask(body)
    const again = await ask(body, {}, 1)
    expect([first.statusCode, replayed(first)]).toEqual([200, false])
    expect([again.statusCode, again.body, replayed(again)]).toEqual([200, first.body, true])
  })
})

describe('one signed request', () => {
  const sendSafe = (body: string, headers: object, at = 0) => post(on(at), tokenOf(safe), body, { ...headers })
  const bodyOf = (data: object = {}) => JSON.stringify(createBody(safe, { additional_info: { n: newKey() }, ...data }))
  const signedNow = (body: string) => signed(secretOf(safe), now(), body)

  it('is refused the second time, on every node, and only the first counts', async () => {
    const body = bodyOf()
    const headers = signedNow(body)
    const before = [await countCalls(t, safe), await usedQuota(t, safe)] as const
    expect((await sendSafe(body, headers)).statusCode).toBe(201)
    for (const at of [0, 1]) {
      const again = await sendSafe(body, headers, at)
      expectRefused(again, 401, 'INVALID_SIGNATURE')
      expect(again.json().error.details).toEqual([expect.objectContaining({ code: 'seen_before' })])
    }
    expect(await countCalls(t, safe)).toBe(before[0] + 1)
    expect(await usedQuota(t, safe)).toBe(before[1] + 1)
  })

  it('fifty at once on two nodes: one call, forty-nine refused', async () => {
    const body = bodyOf()
    const headers = signedNow(body)
    const before = await countCalls(t, safe)
    const answers = await fifty((at) => sendSafe(body, headers, at))
    expect(statusesOf(answers)).toEqual([201, ...Array<number>(49).fill(401)])
    expect(await countCalls(t, safe)).toBe(before + 1)
  })

  it('fifty at once with a key in it: one call, fifty equal answers', async () => {
    for (let round = 0; round < 3; round += 1) {
      const body = bodyOf({ idempotency_key: newKey() })
      const headers = signedNow(body)
      const before = await countCalls(t, safe)
      const answers = await fifty((at) => sendSafe(body, headers, at))
      expect(new Set(statusesOf(answers))).toEqual(new Set([201]))
      expect(new Set(answers.map((each) => each.body)).size).toBe(1)
      expect(await countCalls(t, safe)).toBe(before + 1)
    }
  })

  it('with a key that replays is answered as the first was', async () => {
    const body = bodyOf({ idempotency_key: newKey() })
    const headers = signedNow(body)
    const first = await sendSafe(body, headers)
    const again = await sendSafe(body, headers, 1)
    expect([again.statusCode, again.body, replayed(again)]).toEqual([201, first.body, true])
    // Signed anew it is another request with the same key.
    clock.advance(1_000)
    const anew = await sendSafe(body, signedNow(body))
    expect([anew.statusCode, anew.body, replayed(anew)]).toEqual([201, first.body, true])
  })

  it('cannot be given a second life by another Idempotency-Key header, not even at the same moment', async () => {
    const body = bodyOf()
    const headers = signedNow(body)
    const before = await countCalls(t, safe)
    const answers = await fifty((at) => sendSafe(body, { ...headers, 'idempotency-key': newKey() }, at))
    expect(statusesOf(answers)).toEqual([201, ...Array<number>(49).fill(401)])
    expectRefused(await sendSafe(body, { ...headers, 'idempotency-key': newKey() }), 401, 'INVALID_SIGNATURE')
    expect(await countCalls(t, safe)).toBe(before + 1)
  })

  it('that was refused stays refused: a key that does not replay opens nothing', async () => {
    for (const data of [{ contact_number: '+1' }, { contact_number: '+1', idempotency_key: newKey() }]) {
      const body = bodyOf(data)
      const headers = signedNow(body)
      expectRefused(await sendSafe(body, headers), 400, 'INVALID_PHONE_NUMBER')
      expectRefused(await sendSafe(body, headers), 401, 'INVALID_SIGNATURE')
    }
  })

  it('that failed on our side may be sent again with its key, and with its key only', async () => {
    const withKey = bodyOf({ idempotency_key: newKey() })
    const without = bodyOf()
    const before = await countCalls(t, safe)
    await db.query('alter table calls rename to calls_away')
    const [first, second] = [signedNow(withKey), signedNow(without)]
    expect((await sendSafe(withKey, first)).statusCode).toBe(500)
    expect((await sendSafe(without, second)).statusCode).toBe(500)
    await db.query('alter table calls_away rename to calls')
    expect((await sendSafe(withKey, first)).statusCode).toBe(201)
    expectRefused(await sendSafe(without, second), 401, 'INVALID_SIGNATURE')
    expect(await countCalls(t, safe)).toBe(before + 1)
  })

  it('is remembered longer than it could be accepted, then forgotten', async () => {
    const body = bodyOf()
    const headers = signedNow(body)
    await sendSafe(body, headers)
    await forgetOldHookRequests(db)
    expectRefused(await sendSafe(body, headers), 401, 'INVALID_SIGNATURE')
    const kept = await db.query<{ seconds: string }>(
      'select extract(epoch from min(expires_at) - now()) as seconds from hook_signatures',
    )
    expect(Number(kept[0]?.seconds)).toBeGreaterThan(600)
    await db.query(`update hook_signatures set expires_at = now()`)
    await forgetOldHookRequests(db)
    expect(await db.query('select 1 from hook_signatures')).toEqual([])
  })
})
