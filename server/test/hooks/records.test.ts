import { HookRequest } from '@parley/contract/hooks'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { forgetOldHookRequests, listHookRequests } from '../../src/hooks/hooks.service.ts'
import { shownField } from '../../src/hooks/request-record.ts'
import { createTestApp, type Organisation, testClock } from '../app.ts'
import { createBody, post, secretOf, signed, tokenOf, unixSeconds } from './hook.ts'

const clock = testClock(new Date('2026-11-15T09:00:00.000Z'))
const t = await createTestApp({ clock, settings: { PARLEY_HOOK_QUOTA_BASE: '1' } })
const newest = async (org: Organisation, limit = 1) =>
  (await listHookRequests(t.db, org.organisationId, { limit })).items
const org = await t.organisation()
const ask = (body: unknown, headers = {}) => post(t, tokenOf(org), body, headers)

describe('every request to the hook is recorded before it is answered', async () => {
  const callId: string = (await ask(createBody(org))).json().data.call_id
  const started: string = (await ask(createBody(org))).json().data.call_id
  await t.db.query(`update calls set status = 'ringing' where call_id = $1`, [started])
  const nobodys = `call_${'0'.repeat(32)}`
  const keyed = createBody(org, { idempotency_key: 'order-1' })

  it.each<[string, unknown, object, object]>([
    ['a call made', keyed, {}, { action: 'call.create', status: 201, code: null, reason: null, replayed: false }],
    ['a repeat', keyed, {}, { action: 'call.create', status: 201, code: null, reason: null, replayed: true }],
    [
      'a call cancelled',
      { action: 'call.cancel', data: { call_id: callId } },
      {},
      { action: 'call.cancel', status: 200, code: null, reason: null, call_id: callId },
    ],
    [
      'a call that cannot be cancelled',
      { action: 'call.cancel', data: { call_id: started } },
      {},
      {
        action: 'call.cancel',
        status: 409,
        code: 'CALL_NOT_CANCELLABLE',
        reason: expect.stringContaining('ringing'),
        call_id: started,
      },
    ],
    [
      'a call that is not there',
      { action: 'call.delete', data: { call_id: nobodys } },
      {},
      {
        action: 'call.delete',
        status: 404,
        code: 'NOT_FOUND',
        reason: expect.stringContaining('answered'),
        call_id: nobodys,
      },
    ],
    [
      'a bad number',
      createBody(org, { contact_number: '+44' }),
      {},
      {
        action: 'call.create',
        status: 400,
        code: 'INVALID_PHONE_NUMBER',
        reason: expect.stringMatching(/^data\.contact_number: Write/),
        call_id: null,
      },
    ],
    [
      'a misspelt field',
      createBody(org, { contact_nmae: 'Maya' }),
      {},
      { status: 400, code: 'VALIDATION_ERROR', reason: 'data.contact_nmae: There is no field of this name.' },
    ],
    [
      'an unknown action',
      { action: 'call +15005550001', data: {} },
      {},
      { action: null, status: 400, reason: expect.stringMatching(/^action: Use one of/) },
    ],
    ['no JSON', '{"action":"call.create', {}, { action: null, status: 400, code: 'VALIDATION_ERROR' }],
    [
      'a form',
      'action=call.create',
      { 'content-type': 'application/x-www-form-urlencoded' },
      { action: null, status: 415 },
    ],
    ['a compressed body', '{}', { 'content-encoding': 'gzip' }, { action: null, status: 415 }],
    ['too much', `"${'x'.repeat(262_144)}"`, {}, { action: null, status: 413, code: 'PAYLOAD_TOO_LARGE' }],
    ['nothing', undefined, {}, { action: null, status: 400, code: 'VALIDATION_ERROR' }],
    [
      'a key used before',
      createBody(org, { idempotency_key: 'order-1', contact_name: 'Other' }),
      {},
      { action: 'call.create', status: 422, code: 'IDEMPOTENCY_KEY_REUSED' },
    ],
  ])('%s', async (_name, body, headers, expected) => {
    clock.advance(1_000)
    const answer = await ask(body, headers)
    const [record] = await newest(org)
    expect(record).toMatchObject({
      request_id: answer.headers['x-request-id'],
      at: clock.now().toISOString(),
      status: answer.statusCode,
      ...expected,
    })
    expect(Value.Check(HookRequest, record)).toBe(true)
    if (answer.statusCode === 201) expect(record?.call_id).toBe(answer.json().data.call_id)
  })

  it('without credits, over the quota', async () => {
    const poor = await t.organisation({ organisation: { name: 'Poor', plan: 'base' } })
    for (const _ of [1, 2]) {
      clock.advance(1)
      await post(t, tokenOf(poor), createBody(poor))
    }
    expect(await newest(poor, 5)).toMatchObject([
      { status: 429, code: 'DAILY_QUOTA_EXCEEDED', action: 'call.create' },
      { status: 402, code: 'INSUFFICIENT_CREDITS', action: 'call.create' },
    ])
  })

  it('with a signature that does not hold, and why', async () => {
    const safe = await t.organisation({
      organisation: { name: 'Safe', plan: 'enterprise', credits: 5, inbound: { signing: true } },
    })
    const text = JSON.stringify(createBody(safe))
    const good = signed(secretOf(safe), unixSeconds(clock.now()), text)
    const tries: [object, string][] = [
      [{}, 'X-Inbound-Timestamp: Send'],
      [
        { 'x-inbound-timestamp': 'soon', 'x-inbound-signature': 'x' },
        'X-Inbound-Timestamp: X-Inbound-Timestamp must be',
      ],
      [{ ...good, 'x-inbound-signature': 'x' }, 'X-Inbound-Signature: X-Inbound-Signature must be'],
      [
        signed(secretOf(safe), unixSeconds(clock.now()) - 400, text),
        'X-Inbound-Timestamp: X-Inbound-Timestamp is more than 300 s off',
      ],
      [good, ''],
      [good, 'X-Inbound-Signature: This signed request was received before'],
    ]
    for (const [headers, reason] of tries) {
      clock.advance(1)
      const answer = await post(t, tokenOf(safe), text, { ...headers })
      const [record] = await newest(safe)
      expect(record?.request_id).toBe(answer.headers['x-request-id'])
      expect([record?.status, record?.code]).toEqual(reason === '' ? [201, null] : [401, 'INVALID_SIGNATURE'])
      expect(record?.reason ?? '').toContain(reason)
    }
  })

  it('when something breaks on our side; and when the record itself cannot be written, the answer stands', async () => {
    const own = await createTestApp()
    const theirs = await own.organisation()
    await own.db.query('alter table credit_balances rename to away')
    expect((await post(own, tokenOf(theirs), createBody(theirs))).statusCode).toBe(500)
    const { items } = await listHookRequests(own.db, theirs.organisationId)
    expect(items).toMatchObject([{ status: 500, code: 'INTERNAL', action: 'call.create' }])
    await own.db.query('alter table away rename to credit_balances')
    await own.db.query('drop table hook_requests')
    expect((await post(own, tokenOf(theirs), createBody(theirs))).statusCode).toBe(201)
    expect(own.logLines.join('')).toContain('a hook request was not recorded')
  })
})

describe('a record', () => {
  it('holds nothing of the person, the token or the secret, whatever was sent', async () => {
    const safe = await t.organisation({
      organisation: { name: 'Safe', plan: 'enterprise', credits: 50, inbound: { signing: true } },
    })
    const person = {
      contact_name: 'Zebedee Quux',
      contact_email: 'zeb.quux@private.test',
      contact_number: '+14155552671',
    }
    const bodies: unknown[] = [
      createBody(safe, { ...person, additional_info: { note: 'allergic to zinc-9x' } }),
      createBody(safe, { ...person, contact_number: '+14155552671x' }),
      createBody(safe, { ...person, [person.contact_email]: 1, [person.contact_number]: 1, 'Zebedee Quux': 1 }),
      createBody(safe, { ...person, additional_info: { 'Zebedee Quux': { a: 1 }, 'zeb.quux@private.test': [] } }),
      { action: person.contact_name, data: person },
      { action: 'call.cancel', data: { call_id: person.contact_email } },
      { [person.contact_email]: person.contact_name, action: 'call.create', data: person },
      createBody(safe, { ...person, agent_id: person.contact_name }),
      createBody(safe, { ...person, idempotency_key: 'zebedee-quux-4155552671' }),
      createBody(safe, { ...person, user_name: person.contact_name }),
      `{"contact_name":"${person.contact_name}", broken`,
    ]
    for (const body of bodies) {
      clock.advance(1_000)
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      await post(t, tokenOf(safe), text, signed(secretOf(safe), unixSeconds(clock.now()), text))
      await post(t, tokenOf(safe), text, {
        'x-inbound-signature': person.contact_email,
        'x-inbound-timestamp': '4155552671',
      })
    }
    const [row] = await t.db.query<{ dump: string; n: string }>(
      `select string_agg(r::text, E'\n') as dump, count(*) as n from hook_requests r where organisation_id = $1`,
      [safe.organisationId],
    )
    expect(Number(row?.n)).toBe(bodies.length * 2)
    const dump = String(row?.dump).toLowerCase()
    const secrets = ['zebedee', 'quux', 'private.test', '4155552671', 'zinc', tokenOf(safe), secretOf(safe)]
    for (const secret of secrets) expect(dump).not.toContain(secret.toLowerCase())
  })

  it.each([
    ['data.contact_nmae', 'data.contact_nmae'],
    ['action', 'action'],
    ['Idempotency-Key', 'Idempotency-Key'],
    ['data.additional_info.maya', 'data.additional_info'],
    ['data.maya@example.com', 'data.[field]'],
    ['data.+15005550001', 'data.[field]'],
    ['data.phone15005550001', 'data.[field]'],
    ['Maya Sharma', '[field]'],
    ['', '[field]'],
    ['data.a\nb', 'data.[field]'],
  ])('shows the field %j as %j', (field, shown) => {
    expect(shownField(field)).toBe(shown)
  })
})

describe('recent requests', () => {
  it('come newest first, page by page, and each organisation sees its own', async () => {
    const [own, other] = [await t.organisation(), await t.organisation()]
    const ids: string[] = []
    for (let sent = 0; sent < 5; sent += 1) {
      if (sent !== 2) clock.advance(1)
      ids.unshift(String((await post(t, tokenOf(own), createBody(own))).headers['x-request-id']))
      await post(t, tokenOf(other), createBody(other))
    }
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await listHookRequests(t.db, own.organisationId, { limit: 2, cursor })
      seen.push(...page.items.map((each) => each.request_id))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(seen).toEqual(ids)
  })

  it('are kept 30 days, and the newest 1,000 of each organisation', async () => {
    const own = await t.organisation()
    const [quiet] = [await t.organisation()]
    const insert = (of: Organisation, count: number, start: string) =>
      t.db.query(
        `insert into hook_requests (request_id, organisation_id, at, status, replayed)
         select 'req_' || md5($1 || $3::text || n), $1, $3::timestamptz - n * interval '1 ms', 201, false
         from generate_series(1, $2::int) n`,
        [of.organisationId, count, start],
      )
    const now = new Date().toISOString()
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
    await insert(own, 1_200, now)
    await insert(quiet, 3, daysAgo(29))
    await insert(quiet, 4, daysAgo(31))
    await forgetOldHookRequests(t.db)
    const left = async (of: Organisation) =>
      (await t.db.query('select 1 from hook_requests where organisation_id = $1', [of.organisationId])).length
    expect(await left(own)).toBe(1_000)
    expect(await left(quiet)).toBe(3)
  })
})
