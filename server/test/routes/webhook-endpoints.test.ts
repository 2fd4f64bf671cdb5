import { beforeAll, describe, expect, it } from 'vitest'
import { triggerEvent } from '../../src/webhooks/example-event.ts'
import { createTestApp, type TestApp } from '../app.ts'
import { type As, type Signed, signedOrganisation } from '../dashboard.ts'

// Names below .invalid never resolve, and may be registered all the same.
const url = 'https://hooks.acme.invalid/parley'
const base = { organisation: { name: 'Small', plan: 'base' as const } }

let t: TestApp
let org: Signed
let owner: As

beforeAll(async () => {
  t = await createTestApp()
  org = await signedOrganisation(t)
  owner = org.as.owner
})

const create = async (as: As, body: object = {}) => (await as('POST', '/endpoints', { url, ...body })).json().data
const audit = (id: string) =>
  t.db.query<{ actor: string; action: string }>(
    'select actor, action from audit_log where resource_id = $1 order by audit_id',
    [id],
  )
/** Every row of every table, as text. */
async function dump(): Promise<string> {
  const tables = await t.db.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  const rows = await Promise.all(
    tables.map(({ name }) =>
      t.db.query<{ text: string | null }>(`select string_agg(x::text, ' ') as text from ${name} x`),
    ),
  )
  return rows
    .flat()
    .map(({ text }) => text ?? '')
    .join('\n')
}

describe('registering an endpoint', () => {
  it('201 with signing on, all events, and the secret shown this once', async () => {
    const answer = await owner('POST', '/endpoints', { url })
    expect(answer.statusCode).toBe(201)
    const { secret, ...endpoint } = answer.json().data
    expect(secret).toMatch(/^whsec_[0-9A-Za-z]{43,}$/)
    expect(endpoint).toEqual({
      endpoint_id: expect.stringMatching(/^whe_[0-9a-f]{32}$/),
      url,
      description: null,
      events: ['*'],
      signing: true,
      status: 'enabled',
      disabled_reason: null,
      disabled_at: null,
      consecutive_failures: 0,
      has_next_secret: false,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    })
    const again = await owner('GET', `/endpoints/${endpoint.endpoint_id}`)
    expect(again.json()).toEqual({ success: true, data: endpoint })
    const list = await owner('GET', '/endpoints')
    expect(list.json().data).toContainEqual(endpoint)
    for (const each of [again, list]) expect(each.body).not.toContain('whsec_')
    expect(await audit(endpoint.endpoint_id)).toEqual([
      { actor: org.users[0]?.user_id, action: 'webhook_endpoint.created' },
    ])
    await owner('DELETE', `/endpoints/${endpoint.endpoint_id}`)
  })

  it('stores no secret as text, neither the first nor a staged one, and logs none', async () => {
    const { endpoint_id, secret } = await create(owner)
    const staged = (await owner('POST', `/endpoints/${endpoint_id}/rotate`, { mode: 'staged' })).json().data.secret
    const stored = await dump()
    expect(stored).toContain(endpoint_id)
    for (const each of [secret, staged]) {
      expect(stored).not.toContain(each)
      expect(stored).not.toContain(each.slice('whsec_'.length))
      expect(stored).not.toContain(Buffer.from(each).toString('hex'))
      expect(t.logLines.join('')).not.toContain(each)
    }
    await owner('DELETE', `/endpoints/${endpoint_id}`)
  })

  it.each([
    ['http://hooks.acme.invalid/', 'not_https'],
    ['ftp://hooks.acme.invalid/', 'not_https'],
    ['javascript:alert(1)', 'not_https'],
    ['hooks.acme.invalid', 'malformed_url'],
    ['https://me:secret@hooks.acme.invalid/', 'credentials_in_url'],
    ['https://hooks.acme.invalid/#part', 'fragment_in_url'],
    ['https://hooks.acme.invalid:22/', 'port_not_allowed'],
    ['https://localhost/', 'private_name'],
    ['https://localhost./', 'private_name'],
    ['https://127.1/', 'own_address'],
    ['https://2130706434/', 'private_address'],
    ['https://0x7f000002/', 'private_address'],
    ['https://10.0.0.8/', 'private_address'],
    ['https://169.254.169.254/latest/meta-data', 'private_address'],
    ['https://100.64.0.1/', 'private_address'],
    ['https://[::1]/', 'private_address'],
    ['https://[::ffff:127.0.0.2]/', 'private_address'],
    ['https://[64:ff9b::7f00:2]/', 'private_address'],
    ['https://[fd00:ec2::254]/', 'private_address'],
    ['https://hooks.acme.invalid/ x', 'invalid_characters'],
    ['https://hooks.acme.invalid\\@evil.example/', 'invalid_characters'],
  ])('400 for %s: %s', async (bad, code) => {
    const made = await owner('POST', '/endpoints', { url: bad })
    expect(made.statusCode).toBe(400)
    expect(made.json().error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'url', code }] })
    const { endpoint_id } = await create(owner)
    const changed = await owner('PATCH', `/endpoints/${endpoint_id}`, { url: bad })
    expect(changed.statusCode).toBe(400)
    expect(changed.json().error.details).toMatchObject([{ field: 'url', code }])
    expect((await owner('GET', `/endpoints/${endpoint_id}`)).json().data.url).toBe(url)
    await owner('DELETE', `/endpoints/${endpoint_id}`)
  })

  it('400 names every faulty field at once, unknown ones included', async () => {
    const body = { url: 5, evnts: ['*'], events: ['call.answered'], signing: 'yes', description: 'd'.repeat(201) }
    const answer = await owner('POST', '/endpoints', body)
    expect(answer.statusCode).toBe(400)
    const fields = answer.json().error.details.map((each: { field: string }) => each.field)
    expect(new Set(fields)).toEqual(new Set(['url', 'evnts', 'events.0', 'signing', 'description']))
    for (const events of [[], ['call.failed', 'call.failed']]) {
      expect((await owner('POST', '/endpoints', { url, events })).json().error.details).toMatchObject([
        { field: 'events' },
      ])
    }
    expect((await owner('POST', '/endpoints', { url, description: 'a\0b' })).statusCode).toBe(400)
    expect((await owner('POST', '/endpoints')).statusCode).toBe(400)
  })
})

describe('the limit of the plan', () => {
  it('403 above one on base; a deleted endpoint frees its place', async () => {
    const { as } = await signedOrganisation(t, base)
    const { endpoint_id } = await create(as.owner)
    const refused = await as.owner('POST', '/endpoints', { url })
    expect(refused.statusCode).toBe(403)
    expect(refused.json().error).toMatchObject({
      code: 'PLAN_LIMIT_REACHED',
      message: expect.stringMatching(/Base.* 1 /),
    })
    expect((await as.owner('DELETE', `/endpoints/${endpoint_id}`)).json().data).toEqual({ endpoint_id, deleted: true })
    expect((await as.owner('POST', '/endpoints', { url })).statusCode).toBe(201)
  })

  it('403 above five on professional', async () => {
    const { as } = await signedOrganisation(t)
    const statuses = []
    for (let i = 0; i < 6; i += 1) statuses.push((await as.owner('POST', '/endpoints', { url })).statusCode)
    expect(statuses).toEqual([201, 201, 201, 201, 201, 403])
  })

  it('ten at once on base make exactly one', async () => {
    const { as } = await signedOrganisation(t, base)
    const answers = await Promise.all(Array.from({ length: 10 }, () => as.owner('POST', '/endpoints', { url })))
    expect(answers.map((each) => each.statusCode).sort()).toEqual([201, ...Array(9).fill(403)])
    expect((await as.owner('GET', '/endpoints')).json().data).toHaveLength(1)
  })
})

describe('changing an endpoint', () => {
  it('changes what is given and nothing else', async () => {
    const { secret: _, ...before } = await create(owner, { description: 'first', events: ['call.completed'] })
    const one = `/endpoints/${before.endpoint_id}`
    const changed = await owner('PATCH', one, { events: ['call.failed', 'slot.updated'], signing: false })
    expect(changed.json().data).toEqual({
      ...before,
      events: ['call.failed', 'slot.updated'],
      signing: false,
      updated_at: expect.any(String),
    })
    expect((await owner('PATCH', one, { description: null })).json().data.description).toBeNull()
    expect((await audit(before.endpoint_id)).map((each) => each.action)).toEqual([
      'webhook_endpoint.created',
      'webhook_endpoint.changed',
      'webhook_endpoint.changed',
    ])
    await owner('DELETE', one)
  })

  it('400 for nothing to change and for fields that cannot be', async () => {
    const { endpoint_id } = await create(owner)
    const one = `/endpoints/${endpoint_id}`
    const empty = await owner('PATCH', one, {})
    expect(empty.statusCode).toBe(400)
    expect(empty.json().error.details).toEqual([
      { field: 'body', code: 'too_few', message: 'Give at least one field.' },
    ])
    const wrong = await owner('PATCH', one, { secret: 'whsec_mine', consecutive_failures: 0, status: 'deleted' })
    expect(wrong.statusCode).toBe(400)
    const fields = wrong.json().error.details.map((each: { field: string }) => each.field)
    expect(new Set(fields)).toEqual(new Set(['secret', 'consecutive_failures', 'status']))
    await owner('DELETE', one)
  })

  it('switched off, what waits and what comes is held; switched on, it counts from zero', async () => {
    const { endpoint_id } = await create(owner)
    const one = `/endpoints/${endpoint_id}`
    await t.db.query('update webhook_endpoints set consecutive_failures = 49 where endpoint_id = $1', [endpoint_id])
    const statuses = async () =>
      (await owner('GET', `/deliveries?endpoint_id=${endpoint_id}`))
        .json()
        .data.map((each: { status: string; next_attempt_at: string | null }) => [each.status, each.next_attempt_at])
    await triggerEvent(t.db, org.organisationId, 'call.completed')
    expect(await statuses()).toEqual([['pending', expect.any(String)]])
    const off = (await owner('PATCH', one, { status: 'disabled' })).json().data
    expect(off).toMatchObject({ status: 'disabled', disabled_reason: 'by_hand', disabled_at: expect.any(String) })
    await triggerEvent(t.db, org.organisationId, 'call.failed')
    expect(await statuses()).toEqual([
      ['held', null],
      ['held', null],
    ])
    expect((await owner('PATCH', one, { status: 'disabled' })).json().data.disabled_at).toBe(off.disabled_at)
    expect((await owner('PATCH', one, { status: 'enabled' })).json().data).toMatchObject({
      status: 'enabled',
      disabled_reason: null,
      disabled_at: null,
      consecutive_failures: 0,
    })
    expect((await audit(endpoint_id)).map((each) => each.action)).toEqual([
      'webhook_endpoint.created',
      'webhook_endpoint.disabled',
      'webhook_endpoint.disabled',
      'webhook_endpoint.enabled',
    ])
    await owner('DELETE', one)
  })

  it('deleted, it is gone; what it was owed is dropped and its log stays', async () => {
    const { endpoint_id } = await create(owner)
    await triggerEvent(t.db, org.organisationId, 'call.completed')
    await owner('DELETE', `/endpoints/${endpoint_id}`)
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['DELETE', '', undefined],
      ['PATCH', '', { signing: true }],
      ['POST', '/test', { event_type: 'call.failed' }],
    ] as const) {
      expect((await owner(method, `/endpoints/${endpoint_id}${path}`, body)).statusCode).toBe(404)
    }
    const { data } = (await owner('GET', `/deliveries?endpoint_id=${endpoint_id}`)).json()
    expect(data).toMatchObject([{ status: 'dropped', next_attempt_at: null }])
    expect((await owner('POST', `/deliveries/${data[0].delivery_id}/replay`)).statusCode).toBe(404)
    expect((await audit(endpoint_id)).at(-1)?.action).toBe('webhook_endpoint.deleted')
  })
})
