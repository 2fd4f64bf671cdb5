import { eventSchemas, eventTypeNames } from '@parley/contract/events'
import { verifyWebhook, WebhookVerificationError } from '@parley/sdk/webhooks'
import { Value } from 'typebox/value'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../app.ts'
import { type As, makeEvents, type Signed, signedOrganisation, webhookSettings } from '../dashboard.ts'
import { answering, type Behaviour, type Received, type Receiver, startReceiver } from '../receiver.ts'

let t: TestApp
let receiver: Receiver
let org: Signed
let owner: As
let endpoint: string
let secret: string

beforeAll(async () => {
  t = await createTestApp({ settings: { ...(await webhookSettings()), PARLEY_ROLES: 'api,webhooks' }, workers: {} })
  receiver = await startReceiver()
  org = await signedOrganisation(t)
  owner = org.as.owner
})

beforeEach(async () => {
  receiver.behave(answering(200, 'thanks'))
  receiver.received.length = 0
  if (endpoint) await owner('DELETE', endpoint)
  const made = (await owner('POST', '/endpoints', { url: receiver.url })).json().data
  endpoint = `/endpoints/${made.endpoint_id}`
  secret = made.secret
})

const test = (body: object) => owner('POST', `${endpoint}/test`, body)
const rotate = async (mode: 'staged' | 'now') => (await owner('POST', `${endpoint}/rotate`, { mode })).json().data
const isSignedBy = (each: Received | undefined, key: string): boolean => {
  try {
    return each !== undefined && verifyWebhook(each.raw, each.headers, key).event_id === each.event.event_id
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false
    throw error
  }
}
/** What the next real delivery looks like. */
const delivered = async () => {
  receiver.received.length = 0
  await makeEvents(t, org.organisationId)
  return (await receiver.until(1))[0]
}
const deliveries = async () => (await owner('GET', `/deliveries?endpoint_id=${endpoint.split('/').at(-1)}`)).json().data

describe('a test event', () => {
  it.each(eventTypeNames)('of %s arrives whole, signed and marked, and its answer is shown at once', async (type) => {
    const answer = await test({ event_type: type })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      success: true,
      data: {
        event_id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
        duration_ms: expect.any(Number),
        status_code: 200,
        failure: null,
        detail: null,
        advice: null,
        response: 'thanks',
        request: { headers: expect.any(Object), body: receiver.received[0]?.raw.toString('utf8') },
      },
    })
    const [one] = receiver.received
    expect(receiver.received).toHaveLength(1)
    expect([...Value.Errors(eventSchemas[type], one?.event)]).toEqual([])
    expect(one?.event).toMatchObject({ event_id: answer.json().data.event_id, event_type: type })
    expect(one?.headers).toMatchObject({
      'x-webhook-test': 'true',
      'x-webhook-id': one?.event.event_id,
      'content-type': 'application/json',
      'user-agent': 'Parley-Webhooks/1',
    })
    expect(isSignedBy(one, secret)).toBe(true)
  })

  it('tells what went wrong and what to do about it', async () => {
    const redirecting: Behaviour = (_request, response) =>
      void response.writeHead(302, { location: 'https://elsewhere.example/' }).end()
    const gone = await startReceiver()
    await gone.close()
    for (const [behaviour, url, expected] of [
      [answering(500, 'broken'), receiver.url, { failure: 'status', status_code: 500, response: 'broken' }],
      [answering(404), receiver.url, { failure: 'status', status_code: 404, response: null }],
      [redirecting, receiver.url, { failure: 'redirect', status_code: 302, detail: 'https://elsewhere.example/' }],
      [answering(200), gone.url, { failure: 'connect', status_code: null, response: null }],
      [answering(200), 'https://hooks.acme.invalid/', { failure: 'dns', status_code: null }],
    ] as const) {
      receiver.behave(behaviour)
      await owner('PATCH', endpoint, { url })
      const answer = await test({ event_type: 'call.completed' })
      expect(answer.statusCode).toBe(200)
      expect(answer.json().data).toMatchObject({ ...expected, advice: expect.stringMatching(/\.$/) })
    }
  })

  it('counts for nothing: no delivery, no failure, and it does not wake an endpoint that is off', async () => {
    receiver.behave(answering(500))
    await owner('PATCH', endpoint, { status: 'disabled' })
    const before = (await owner('GET', endpoint)).json().data
    for (let i = 0; i < 3; i += 1)
      expect((await test({ event_type: 'call.failed' })).json().data.failure).toBe('status')
    receiver.behave(answering(200))
    expect((await test({ event_type: 'call.failed' })).json().data.failure).toBeNull()
    expect((await owner('GET', endpoint)).json().data).toEqual(before)
    expect(await deliveries()).toEqual([])
    expect(
      await t.db.query('select 1 from events where event_id = any($1)', [
        receiver.received.map((r) => r.event.event_id),
      ]),
    ).toEqual([])
  })

  it('has no signature where signing is off', async () => {
    await owner('PATCH', endpoint, { signing: false })
    await test({ event_type: 'call.completed' })
    const names = Object.keys(receiver.received[0]?.headers ?? {})
    expect(names).toContain('x-webhook-id')
    expect(names).not.toContain('x-webhook-signature')
    expect(names).not.toContain('x-webhook-timestamp')
  })

  it('does not show the signature to whoever reads the answer, when the receiver echoes it', async () => {
    receiver.behave((request, response) => response.end(`you sent ${request.headers['x-webhook-signature']}`))
    expect((await test({ event_type: 'call.completed' })).json().data.response).toBe('you sent •••')
  })

  it('400 for a type that is none; 404 for a staged secret that is none, and for an id of any shape', async () => {
    for (const body of [{ event_type: 'call.answered' }, { event_type: '*' }, {}]) {
      expect((await test(body)).json().error.details).toMatchObject([{ field: 'event_type' }])
    }
    expect((await test({ event_type: 'call.failed', secret: 'next' })).statusCode).toBe(404)
    for (const id of ['whe_%00', '%20', 'whe_1', 'x'.repeat(300)]) {
      expect((await owner('POST', `/endpoints/${id}/test`, { event_type: 'call.failed' })).statusCode).toBe(404)
    }
    expect(receiver.received).toEqual([])
  })
})

describe('a new secret', () => {
  it('now: used from the next delivery on, and shown this once', async () => {
    const { secret: next, ...rest } = await rotate('now')
    expect(rest).toEqual({ endpoint_id: expect.any(String), active: true })
    expect(next).toMatch(/^whsec_[0-9A-Za-z]{43,}$/)
    expect(next).not.toBe(secret)
    const one = await delivered()
    expect([isSignedBy(one, secret), isSignedBy(one, next)]).toEqual([false, true])
    expect((await owner('GET', endpoint)).body).not.toContain('whsec_')
  })

  it('staged: tested while the old one is still used, then activated', async () => {
    const { secret: next, active } = await rotate('staged')
    expect(active).toBe(false)
    expect((await owner('GET', endpoint)).json().data.has_next_secret).toBe(true)
    expect(isSignedBy(await delivered(), secret)).toBe(true)
    receiver.received.length = 0
    await test({ event_type: 'call.completed', secret: 'next' })
    await test({ event_type: 'call.completed', secret: 'current' })
    expect([isSignedBy(receiver.received[0], next), isSignedBy(receiver.received[1], secret)]).toEqual([true, true])
    const activated = await owner('POST', `${endpoint}/rotate/activate`)
    expect(activated.json().data.has_next_secret).toBe(false)
    expect(isSignedBy(await delivered(), next)).toBe(true)
    expect((await owner('POST', `${endpoint}/rotate/activate`)).statusCode).toBe(404)
  })

  it('staged and discarded: the old one stays', async () => {
    await rotate('staged')
    expect((await owner('POST', `${endpoint}/rotate/discard`)).json().data.has_next_secret).toBe(false)
    for (const what of ['activate', 'discard']) {
      expect((await owner('POST', `${endpoint}/rotate/${what}`)).statusCode).toBe(404)
    }
    expect(isSignedBy(await delivered(), secret)).toBe(true)
  })

  it('staged twice, the second counts; now, over a staged one, leaves none staged', async () => {
    await rotate('staged')
    const second = (await rotate('staged')).secret
    await owner('POST', `${endpoint}/rotate/activate`)
    expect(isSignedBy(await delivered(), second)).toBe(true)
    await rotate('staged')
    await rotate('now')
    expect((await owner('GET', endpoint)).json().data.has_next_secret).toBe(false)
    const actions = await t.db.query<{ action: string }>(
      `select action from audit_log where resource_id = $1 and action like 'webhook_secret.%' order by audit_id`,
      [endpoint.split('/').at(-1)],
    )
    const said = actions.map((each) => each.action.split('.')[1])
    expect(said).toEqual(['staged', 'staged', 'rotated', 'staged', 'rotated'])
  })

  it('400 for a mode that is none', async () => {
    for (const body of [{}, { mode: 'later' }, { mode: 'now', secret: 'whsec_mine' }]) {
      expect((await owner('POST', `${endpoint}/rotate`, body)).statusCode).toBe(400)
    }
    expect(isSignedBy(await delivered(), secret)).toBe(true)
  })
})
