import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../app.ts'
import { type As, makeEvents, type Signed, signedOrganisation, webhookSettings } from '../dashboard.ts'
import { answering, type Receiver, startReceiver } from '../receiver.ts'

let t: TestApp
let receiver: Receiver
let org: Signed
let owner: As
let endpointId: string

beforeAll(async () => {
  t = await createTestApp({ settings: { ...(await webhookSettings()), PARLEY_ROLES: 'api,webhooks' }, workers: {} })
  receiver = await startReceiver()
})
beforeEach(async () => {
  receiver.behave(answering(200))
  receiver.received.length = 0
  org = await signedOrganisation(t, { webhook_endpoints: [{ url: receiver.url }] }, ['owner', 'viewer'])
  owner = org.as.owner
  endpointId = org.webhook_endpoints[0]?.endpoint_id ?? ''
})

const health = async (as = owner) => (await as('GET', '/health')).json().data
const deliveries = async (query = '') => (await owner('GET', `/deliveries?${query}`)).json().data
async function settled() {
  await expect.poll(async () => deliveries('status=pending'), { timeout: 20_000 }).toEqual([])
  return deliveries()
}

describe('how endpoints are doing', () => {
  it('counts the last day by hour, what failed apart, and says what the plan allows', async () => {
    await makeEvents(t, org.organisationId, 3)
    await settled()
    receiver.behave(answering(500))
    await makeEvents(t, org.organisationId, 2)
    await settled()
    await t.db.query(
      `update webhook_deliveries set created_at = created_at - interval '90 minutes'
       where endpoint_id = $1 and status = 'failed'`,
      [endpointId],
    )
    const { endpoint_limit, endpoints } = await health(org.as.viewer)
    expect(endpoint_limit).toBe(5)
    expect(endpoints).toEqual([
      { endpoint_id: endpointId, succeeded: 3, failed: 2, hours: expect.objectContaining({ length: 24 }) },
    ])
    expect(endpoints[0].hours.at(-1)).toEqual({ succeeded: 3, failed: 0 })
    expect(endpoints[0].hours.at(-2)).toEqual({ succeeded: 0, failed: 2 })
  })

  it('an endpoint nothing was sent to has 24 empty hours; those of others are not shown', async () => {
    const { endpoints, since } = await health((await signedOrganisation(t)).as.owner)
    expect(endpoints).toEqual([])
    const [quiet] = (await health()).endpoints
    expect(quiet).toMatchObject({ endpoint_id: endpointId, succeeded: 0, failed: 0 })
    expect(quiet.hours).toHaveLength(24)
    expect(Date.now() - Date.parse(since)).toBeGreaterThan(23 * 3_600_000)
  })
})

describe('what an attempt sent', () => {
  it('is made again to the byte, its signature hidden', async () => {
    await makeEvents(t, org.organisationId)
    const [{ delivery_id }] = await settled()
    const { data } = (await owner('GET', `/deliveries/${delivery_id}/request`)).json()
    const sent = receiver.received[0]
    expect(data.body).toBe(sent?.raw.toString('utf8'))
    expect(data.attempt).toBe(1)
    expect(data.headers).toMatchObject({
      'user-agent': 'Parley-Webhooks/1',
      'x-webhook-id': sent?.headers['x-webhook-id'],
      'x-webhook-timestamp': sent?.headers['x-webhook-timestamp'],
      'x-webhook-signature': 'v1=•••',
    })
  })

  it('each of several attempts has its own time; 404 for one that was not made', async () => {
    receiver.behave(answering(500))
    await makeEvents(t, org.organisationId)
    const [{ delivery_id, attempts }] = await settled()
    const of = (number: number) => owner('GET', `/deliveries/${delivery_id}/request?attempt=${number}`)
    expect((await of(2)).json().data).toMatchObject({ attempt: 2 })
    expect((await of(attempts + 1)).statusCode).toBe(404)
    expect((await of(0)).statusCode).toBe(400)
  })

  it("another organisation's delivery is like none at all", async () => {
    await makeEvents(t, org.organisationId)
    const [{ delivery_id }] = await settled()
    const other = (await signedOrganisation(t)).as.owner
    const theirs = await other('GET', `/deliveries/${delivery_id}/request`)
    const none = await other('GET', `/deliveries/dlv_${'0'.repeat(32)}/request`)
    expect([theirs.statusCode, theirs.json().error.message]).toEqual([404, none.json().error.message])
  })

  it('a test event shows what was sent', async () => {
    const { data } = (await owner('POST', `/endpoints/${endpointId}/test`, { event_type: 'call.failed' })).json()
    expect(data.request.body).toBe(receiver.received[0]?.raw.toString('utf8'))
    expect(data.request.headers).toMatchObject({ 'x-webhook-test': 'true', 'x-webhook-signature': 'v1=•••' })
  })
})

it('deliveries are listed since a time; 400 for one without an offset', async () => {
  await makeEvents(t, org.organisationId, 2)
  const [newest, oldest] = await settled()
  await t.db.query(`update webhook_deliveries set created_at = created_at - interval '1 hour' where delivery_id = $1`, [
    oldest.delivery_id,
  ])
  const since = new Date(Date.now() - 1_800_000).toISOString()
  expect(await deliveries(`since=${since}`)).toEqual([newest])
  expect((await owner('GET', '/deliveries?since=2026-11-15T10:00')).statusCode).toBe(400)
})
