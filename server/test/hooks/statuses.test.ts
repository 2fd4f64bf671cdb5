import type { Call } from '@parley/contract/calls'
import { describe, expect, it } from 'vitest'
import { grantCredits } from '../../src/credits/credits.service.ts'
import { createTestApp, testClock } from '../app.ts'
import { countCalls, createBody, expectRefused, post, tokenOf } from './hook.ts'

const clock = testClock(new Date('2026-11-15T09:00:00.000Z'))
const t = await createTestApp({ clock })
const org = await t.organisation()
const poor = await t.organisation({ organisation: { name: 'Poor', plan: 'base', credits: 0 } })
const ask = (body: unknown, headers = {}) => post(t, tokenOf(org), body, headers)
const create = (data: object) => ask(createBody(org, data))
const about = (action: string, call_id: unknown) => ask({ action, data: { call_id } })
const stored = async (callId: string): Promise<Call> =>
  (await t.send(org.key, 'GET', `/v1/calls/${callId}`)).json().data
const newCall = async (): Promise<string> => (await create({})).json().data.call_id
const setStatus = (callId: string, status: string) =>
  t.db.query('update calls set status = $2 where call_id = $1', [callId, status])
const nobodysCall = `call_${'0'.repeat(32)}`

describe('§7.3 201: call.create', () => {
  it('answers call_id, scheduled_at and status scheduled', async () => {
    const answer = await create({})
    expect(answer.statusCode).toBe(201)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.json()).toEqual({
      data: {
        call_id: expect.stringMatching(/^call_[0-9a-f]{32}$/),
        status: 'scheduled',
        scheduled_at: '2026-11-15T09:00:15.000Z',
      },
    })
  })

  it.each(['contact', 'user'])('stores every field, named %s_*', async (prefix) => {
    const answer = await ask({
      action: 'call.create',
      data: {
        agent_id: org.agentId,
        [`${prefix}_number`]: '+919876543210',
        [`${prefix}_name`]: 'Ravi',
        [`${prefix}_email`]: 'ravi@example.com',
        [`${prefix}_preferred_language`]: 'hi',
        additional_info: { order: 'A-1', amount: 12.5 },
        scheduled_time: '2026-12-01T10:00:00+05:30',
      },
    })
    expect(await stored(answer.json().data.call_id)).toMatchObject({
      status: 'scheduled',
      call_to: '+919876543210',
      contact_name: 'Ravi',
      contact_email: 'ravi@example.com',
      contact_preferred_language: 'hi',
      additional_info: { order: 'A-1', amount: 12.5 },
      scheduled_at: '2026-12-01T04:30:00.000Z',
    })
    const [row] = await t.db.query<{ source: string }>('select source from calls where call_id = $1', [
      answer.json().data.call_id,
    ])
    expect(row?.source).toBe('hook')
  })
})

describe('§7.3 200: call.cancel and call.delete', () => {
  it.each(['scheduled', 'queued'])(
    'call.cancel of a %s call answers the body of §4.3, again and again',
    async (status) => {
      const callId = await newCall()
      await setStatus(callId, status)
      const answer = await about('call.cancel', callId)
      expect(answer.statusCode).toBe(200)
      const { cancelled_at } = await stored(callId)
      expect(answer.json()).toEqual({ data: { call_id: callId, status: 'cancelled', cancelled_at } })
      const again = await about('call.cancel', callId)
      expect([again.statusCode, again.body]).toEqual([200, answer.body])
    },
  )

  it('call.delete of an answered call answers the body of §4.4, and the call is gone', async () => {
    const live = await createTestApp({ workers: {} })
    const own = await live.organisation({
      organisation: { name: 'Live', plan: 'base', credits: 10 },
    })
    const person = { contact_name: 'Zerubbabel Quillfeather', contact_email: 'z@quillfeather.example' }
    const made = await post(live, tokenOf(own), createBody(own, { ...person, contact_number: '+15005550008' }))
    const callId: string = made.json().data.call_id
    await live.untilCall(own.key, callId, (call) => call.status === 'completed' && call.call_analytics !== null)
    const answer = await post(live, tokenOf(own), { action: 'call.delete', data: { call_id: callId } })
    expect([answer.statusCode, answer.json()]).toEqual([200, { data: { call_id: callId, deleted: true } }])
    expect((await live.send(own.key, 'GET', `/v1/calls/${callId}`)).statusCode).toBe(404)
    expectRefused(
      await post(live, tokenOf(own), { action: 'call.delete', data: { call_id: callId } }),
      404,
      'NOT_FOUND',
    )
    const audit = await live.db.query('select actor, action, resource_id from audit_log')
    expect(audit).toEqual([{ actor: 'hook', action: 'call.erased', resource_id: callId }])
    await live.stopWorkers()
  })
})

describe('§7.3 400: what is not valid', () => {
  it.each([
    ['+1500555000', 'INVALID_PHONE_NUMBER'],
    ['15005550001', 'INVALID_PHONE_NUMBER'],
    ['+1٥٠٠٥٥٥٠٠٠١', 'INVALID_PHONE_NUMBER'],
    ['', 'INVALID_PHONE_NUMBER'],
    ['+442071838750', 'UNSUPPORTED_COUNTRY'],
  ])('phone %j: %s, 400 here', async (contact_number, code) => {
    const answer = await create({ contact_number })
    expectRefused(answer, 400, code)
    expect(answer.json().error.details).toEqual([expect.objectContaining({ field: 'data.contact_number' })])
  })

  it('names all faulty fields at once, unknown ones too', async () => {
    const answer = await ask({
      action: 'call.create',
      data: {
        contact_nmae: 'typo',
        contact_name: 5,
        contact_email: 'no address',
        scheduled_time: '2026-12-01T10:00:00',
        additional_info: Object.fromEntries(Array.from({ length: 26 }, (_, at) => [`k${at}`, at])),
        idempotency_key: 'with a space',
      },
      extra: 1,
    })
    expectRefused(answer, 400, 'VALIDATION_ERROR')
    const details: { field: string; code: string }[] = answer.json().error.details
    expect(Object.fromEntries(details.map((each) => [each.field, each.code]))).toEqual({
      extra: 'unknown_field',
      'data.agent_id': 'required',
      'data.contact_number': 'required',
      'data.contact_nmae': 'unknown_field',
      'data.contact_name': 'type',
      'data.contact_email': 'format',
      'data.scheduled_time': 'no_offset',
      'data.additional_info': 'too_many',
      'data.idempotency_key': 'format',
    })
  })

  it.each(['number', 'name', 'email', 'preferred_language'])('both names of %s', async (name) => {
    const value = { number: '+15005550001', name: 'Maya', email: 'a@example.com', preferred_language: 'en' }[name]
    const answer = await create({ [`user_${name}`]: value, [`contact_${name}`]: value })
    expectRefused(answer, 400, 'VALIDATION_ERROR')
    expect(answer.json().error.details).toEqual([
      expect.objectContaining({ field: `data.contact_${name}`, code: 'both_names' }),
    ])
  })

  it.each<[string, unknown, string, string]>([
    ['no action', { data: {} }, 'action', 'required'],
    ['an action that is no text', { action: 5, data: {} }, 'action', 'type'],
    ['an unknown action', { action: 'call.hangup', data: {} }, 'action', 'not_allowed'],
    ['an inherited action', { action: 'constructor', data: {} }, 'action', 'not_allowed'],
    ['no data', { action: 'call.create' }, 'data', 'required'],
    ['data that is no object', { action: 'call.cancel', data: [] }, 'data', 'type'],
    ['no call_id', { action: 'call.cancel', data: {} }, 'data.call_id', 'required'],
    ['a call_id that is no text', { action: 'call.delete', data: { call_id: 7 } }, 'data.call_id', 'type'],
    [
      'a field of another action',
      { action: 'call.delete', data: { call_id: 'x', agent_id: 'y' } },
      'data.agent_id',
      'unknown_field',
    ],
    ['a list', [], 'body', 'type'],
    ['null', 'null', 'body', 'type'],
    ['a text', '"call.create"', 'body', 'type'],
    ['broken JSON', '{"action":', 'body', 'malformed_json'],
    ['NUL in a text', '{"action":"call.create","data":{"agent_id":"\\u0000"}}', 'data.agent_id', 'format'],
    ['half a pair', '{"action":"call.create","data":{"contact_name":"\\ud800"}}', 'data.contact_name', 'format'],
    [
      'a number past every double',
      '{"action":"call.create","data":{"additional_info":{"a":1e400}}}',
      'data.additional_info.a',
      'not_exact',
    ],
    ['__proto__', '{"action":"call.create","data":{"__proto__":{}}}', 'body', 'malformed_json'],
  ])('%s', async (_name, body, field, code) => {
    const answer = await ask(body)
    expectRefused(answer, 400, 'VALIDATION_ERROR')
    expect(answer.json().error.details).toContainEqual(expect.objectContaining({ field, code }))
  })

  it.each([
    ['with its content type', { 'content-type': 'application/json' }],
    ['without', { 'content-type': undefined }],
  ])('no body at all, %s', async (_name, headers) => {
    expectRefused(await ask(undefined, headers), 400, 'VALIDATION_ERROR')
  })

  it.each([
    ['2026-11-15T09:00:00.001Z', 201],
    ['2026-11-15T09:00:00.000Z', 400],
    ['2026-12-01T10:00:00', 400],
    ['2027-11-15T09:00:00.001Z', 400],
  ])('scheduled_time %s gives %i', async (scheduled_time, status) => {
    expect((await create({ scheduled_time })).statusCode).toBe(status)
  })

  it('an agent that cannot call: AGENT_NOT_CALLABLE names agent_id, before credits are looked at', async () => {
    for (const agent_id of [`agt_${'0'.repeat(32)}`, poor.agentId, 'x']) {
      const answer = await create({ agent_id })
      expectRefused(answer, 400, 'AGENT_NOT_CALLABLE')
      expect(answer.json().error.details).toEqual([expect.objectContaining({ field: 'data.agent_id' })])
    }
    const both = await post(t, tokenOf(poor), createBody(poor, { agent_id: org.agentId }))
    expectRefused(both, 400, 'AGENT_NOT_CALLABLE')
  })
})

describe('§7.3 402: call.create without credits', () => {
  it('INSUFFICIENT_CREDITS and no call, until there are some; one held by a call in the air is not free', async () => {
    const refused = await post(t, tokenOf(poor), createBody(poor))
    expectRefused(refused, 402, 'INSUFFICIENT_CREDITS')
    expect(await countCalls(t, poor)).toBe(0)
    await t.db.transaction((tx) => grantCredits(tx, poor.organisationId, 1))
    expect((await post(t, tokenOf(poor), createBody(poor))).statusCode).toBe(201)
    await t.db.query('update credit_balances set held = 1 where organisation_id = $1', [poor.organisationId])
    expectRefused(await post(t, tokenOf(poor), createBody(poor)), 402, 'INSUFFICIENT_CREDITS')
  })

  it('cancelling costs nothing', async () => {
    const [row] = await t.db.query<{ call_id: string }>('select call_id from calls where organisation_id = $1', [
      poor.organisationId,
    ])
    const body = { action: 'call.cancel', data: { call_id: row?.call_id } }
    expect((await post(t, tokenOf(poor), body)).statusCode).toBe(200)
  })
})

describe('§7.3 404: no matching call', () => {
  it.each(['call.cancel', 'call.delete'])("%s of nobody's, another organisation's, or no id at all", async (action) => {
    const theirs = (
      await t.send(poor.key, 'POST', '/v1/calls', {
        agent_id: poor.agentId,
        user_number: '+15005550001',
      })
    ).json().data.call_id
    for (const id of [nobodysCall, theirs, 'x', 'call_']) expectRefused(await about(action, id), 404, 'NOT_FOUND')
  })

  it('call.delete of a call that was never answered', async () => {
    expectRefused(await about('call.delete', await newCall()), 404, 'NOT_FOUND')
  })
})

describe('§7.3 409: call.cancel of a call that has started or ended', () => {
  it.each(['initiated', 'ringing', 'in_progress', 'completed', 'failed', 'disallowed'])('%s', async (status) => {
    const callId = await newCall()
    await setStatus(callId, status)
    expectRefused(await about('call.cancel', callId), 409, 'CALL_NOT_CANCELLABLE')
    expect((await stored(callId)).status).toBe(status)
  })
})

describe('besides §7.3', () => {
  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const)('%s: 405, and POST would do', async (method) => {
    for (const token of [tokenOf(org), 'nonsense', 'a/b']) {
      const answer = await t.app.inject({ method, url: `/v1/hooks/${token}` })
      expectRefused(answer, 405, 'METHOD_NOT_ALLOWED')
      expect(answer.headers.allow).toBe('POST')
    }
  })

  it.each([
    ['text/plain', '{}'],
    ['application/x-www-form-urlencoded', 'action=call.create'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['application/json; charset=utf-16', '{}'],
    [';', '{}'],
  ])('a body of %s: 415', async (type, body) => {
    expectRefused(await ask(body, { 'content-type': type }), 415, 'UNSUPPORTED_MEDIA_TYPE')
  })

  it('a compressed body: 415', async () => {
    const answer = await ask(createBody(org), { 'content-encoding': 'gzip' })
    expectRefused(answer, 415, 'UNSUPPORTED_MEDIA_TYPE')
  })

  it('256 KiB are read and judged; one byte more: 413', async () => {
    const filled = (bytes: number) => `{"action":"${'n'.repeat(bytes - 13)}"}`
    expectRefused(await ask(filled(262_144)), 400, 'VALIDATION_ERROR')
    expectRefused(await ask(filled(262_145)), 413, 'PAYLOAD_TOO_LARGE')
  })

  it('an address with a query is the same hook', async () => {
    const answer = await post(t, `${tokenOf(org)}?source=zapier`, createBody(org))
    expect(answer.statusCode).toBe(201)
  })
})
