import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { signatureOf } from '../../src/webhooks/sign.ts'
import { createTestApp, type TestApp } from '../app.ts'
import { type As, makeEvents, type Signed, signedOrganisation, webhookSettings } from '../dashboard.ts'
import { answering, type Receiver, startReceiver } from '../receiver.ts'

type Delivery = {
  delivery_id: string
  endpoint_id: string
  event_id: string
  event_type: string
  status: string
  attempts: number
}
type Page = { data: Delivery[]; has_more: boolean; next_cursor: string | null }

let t: TestApp
let receiver: Receiver
let org: Signed
let owner: As
let endpointId: string
let secret: string
let aheadMs = 0

beforeAll(async () => {
  const clock = { now: () => new Date(Date.now() + aheadMs) }
  const settings = { ...(await webhookSettings()), PARLEY_ROLES: 'api,webhooks' }
  t = await createTestApp({ settings, clock, workers: {} })
  receiver = await startReceiver()
})

beforeEach(async () => {
  receiver.behave(answering(200, 'thanks'))
  receiver.received.length = 0
  org = await signedOrganisation(t, { webhook_endpoints: [{ url: receiver.url }] })
  owner = org.as.owner
  endpointId = org.webhook_endpoints[0]?.endpoint_id ?? ''
  secret = org.webhook_endpoints[0]?.secret ?? ''
})

const list = async (query = '') => (await owner('GET', `/deliveries?${query}`)).json<Page>()
const get = async (id: string) => (await owner('GET', `/deliveries/${id}`)).json().data
const replay = (id: string) => owner('POST', `/deliveries/${id}/replay`)
/** Waits until nothing of this organisation is on its way. */
async function settled(): Promise<Delivery[]> {
  await expect.poll(async () => (await list('status=pending')).data, { timeout: 20_000 }).toEqual([])
  return (await list('limit=100')).data
}
const one = async (type: 'call.completed' | 'call.failed' = 'call.completed') => {
  await makeEvents(t, org.organisationId, 1, type)
  const [newest] = await settled()
  return newest?.delivery_id ?? ''
}

describe('the log of deliveries', () => {
  it('is read page by page, newest first, with has_more, next_cursor and Link', async () => {
    const made = await makeEvents(t, org.organisationId, 5)
    const inOrder = (await settled()).map((each) => each.event_id)
    const seen: string[] = []
    let url = '/deliveries?limit=2'
    for (const [size, hasMore] of [
      [2, true],
      [2, true],
      [1, false],
    ] as const) {
      const answer = await owner('GET', url)
      const page = answer.json<Page>()
      expect([page.data.length, page.has_more, page.next_cursor !== null]).toEqual([size, hasMore, hasMore])
      seen.push(...page.data.map((each) => each.event_id))
      // What comes meanwhile is newer, and moves nothing.
      if (hasMore) await makeEvents(t, org.organisationId)
      const next = /^<http:\/\/127\.0\.0\.1:3000\/api\/webhooks(.+)>; rel="next"$/.exec(
        String(answer.headers.link),
      )?.[1]
      expect(next !== undefined).toBe(hasMore)
      url = next ?? ''
    }
    expect(seen).toEqual(inOrder)
    expect(seen.toSorted()).toEqual(made.toSorted())
  })

  it('is filtered by endpoint, event, type and status', async () => {
    await one('call.failed')
    receiver.behave(answering(500))
    await one('call.completed')
    const [failed, succeeded] = (await list()).data
    expect(failed).toMatchObject({ status: 'failed', attempts: 5, endpoint_id: endpointId, next_attempt_at: null })
    expect(succeeded).toMatchObject({ status: 'succeeded', attempts: 1, event_type: 'call.failed' })
    for (const [query, found] of [
      [`endpoint_id=${endpointId}`, [failed, succeeded]],
      [`event_id=${failed?.event_id}`, [failed]],
      ['event_type=call.failed', [succeeded]],
      ['status=failed', [failed]],
      ['status=succeeded&event_type=call.completed', []],
      [`endpoint_id=whe_${'0'.repeat(32)}`, []],
      [`call_id=call_${'0'.repeat(32)}`, []],
    ] as const) {
      expect((await list(query)).data, query).toEqual(found)
    }
  })

  it('400 names a filter that cannot be right', async () => {
    for (const [query, field] of [
      ['endpoint_id=nonsense', 'endpoint_id'],
      ['endpoint_id=%00', 'endpoint_id'],
      ['event_id=whe_00000000000000000000000000000000', 'event_id'],
      ['call_id=%f0%9f%98%80', 'call_id'],
      ['event_type=call.answered', 'event_type'],
      ['status=succeeded,failed', 'status'],
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['cursor=abc', 'cursor'],
      ['endpoint=whe_1', 'endpoint'],
      ['status=failed&status=held', 'status'],
    ] as const) {
      const answer = await owner('GET', `/deliveries?${query}`)
      expect(answer.statusCode, query).toBe(400)
      expect(answer.json().error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field }] })
    }
  })

  it('tells of every attempt: when, how long, what came back, what to do, when the next one is', async () => {
    receiver.behave(answering(503, '<b>overloaded</b>'))
    const { log, ...delivery } = await get(await one())
    expect(delivery).toMatchObject({ status: 'failed', attempts: 5 })
    expect(log.map((each: { number: number }) => each.number)).toEqual([1, 2, 3, 4, 5])
    for (const attempt of log) {
      expect(attempt).toEqual({
        number: expect.any(Number),
        started_at: expect.stringMatching(/Z$/),
        duration_ms: expect.any(Number),
        status_code: 503,
        failure: 'status',
        detail: null,
        advice: 'The server answered with an error. Its own log says why.',
        response: '<b>overloaded</b>',
        next_attempt_at: attempt.number === 5 ? null : expect.stringMatching(/Z$/),
      })
    }
    expect((await owner('GET', `/endpoints/${endpointId}`)).json().data.consecutive_failures).toBe(5)
    expect((await owner('GET', '/deliveries/dlv_nonsense%00')).statusCode).toBe(404)
  })
})

describe('a replay', () => {
  it('of what succeeded: the same event again, with a timestamp and signature of its own', async () => {
    const id = await one()
    aheadMs += 3_600_000
    const answer = await replay(id)
    expect(answer.statusCode).toBe(202)
    expect(answer.json().data).toMatchObject({ delivery_id: id, status: 'pending', attempts: 1 })
    await settled()
    const [first, second] = receiver.received
    expect(receiver.received).toHaveLength(2)
    expect(second?.raw).toEqual(first?.raw)
    expect(second?.headers['x-webhook-id']).toBe(first?.headers['x-webhook-id'])
    const times = [first, second].map((each) => Number(each?.headers['x-webhook-timestamp']))
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(3_600)
    expect(second?.headers['x-webhook-signature']).toBe(signatureOf(secret, times[1] ?? 0, second?.raw ?? ''))
    expect(await get(id)).toMatchObject({ status: 'succeeded', attempts: 2 })
    const audit = await t.db.query('select actor, action from audit_log where resource_id = $1', [id])
    expect(audit).toEqual([{ actor: org.users[0]?.user_id, action: 'webhook_delivery.replayed' }])
  })

  it('of what failed has the whole ladder before it, and its attempts go on in the same log', async () => {
    receiver.behave(answering(500))
    const id = await one()
    await replay(id)
    await settled()
    const { status, attempts, log } = await get(id)
    expect([status, attempts, log.length]).toEqual(['failed', 10, 10])
    expect(new Set(receiver.received.map(({ event }) => event.event_id)).size).toBe(1)
    receiver.behave(answering(200))
    await replay(id)
    await settled()
    expect(await get(id)).toMatchObject({ status: 'succeeded', attempts: 11 })
  })

  it('asked for again while it is being sent is sent once', async () => {
    const id = await one()
    let release = () => {}
    receiver.behave((_request, response) => {
      release = () => void response.writeHead(200).end()
    })
    await replay(id)
    await receiver.until(2)
    const clicks = await Promise.all([replay(id), replay(id), replay(id)])
    expect(clicks.map((each) => each.statusCode)).toEqual([202, 202, 202])
    release()
    await settled()
    expect(receiver.received).toHaveLength(2)
    expect(await get(id)).toMatchObject({ status: 'succeeded', attempts: 2 })
  })

  it('asked for while the first answer is still on its way is sent after it', async () => {
    let answer = () => {}
    receiver.behave((_request, response) => {
      answer = () => void response.writeHead(200).end()
    })
    await makeEvents(t, org.organisationId, 1)
    await receiver.until(1)
    const [delivery] = (await list()).data
    const asked = replay(delivery?.delivery_id ?? '')
    receiver.behave(answering(200))
    answer()
    expect((await asked).statusCode).toBe(202)
    await receiver.until(2)
    expect(await settled()).toMatchObject([{ status: 'succeeded', attempts: 2 }])
  })

  it('clicked twice at once is sent once', async () => {
    const id = await one()
    const waiting = async () => {
      const [row] = await t.db.query<{ count: number }>(
        `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return row?.count
    }
    let clicks: Promise<unknown> = Promise.resolve()
    await t.db.transaction(async (tx) => {
      await tx.query('select 1 from webhook_endpoints where endpoint_id = $1 for update', [endpointId])
      clicks = Promise.all([replay(id), replay(id)])
      await expect.poll(waiting, { timeout: 10_000 }).toBe(2)
    })
    await clicks
    await settled()
    expect(receiver.received).toHaveLength(2)
  })

  it('409 while the endpoint is switched off', async () => {
    const id = await one()
    await owner('PATCH', `/endpoints/${endpointId}`, { status: 'disabled' })
    const refused = await replay(id)
    expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'ENDPOINT_DISABLED'])
    expect(await get(id)).toMatchObject({ status: 'succeeded', attempts: 1 })
    await owner('PATCH', `/endpoints/${endpointId}`, { status: 'enabled' })
    expect((await replay(id)).statusCode).toBe(202)
    await settled()
  })

  it('400 with a body: it takes none', async () => {
    const id = await one()
    expect((await owner('POST', `/deliveries/${id}/replay`, { force: true })).json().error.details).toMatchObject([
      { field: 'force', code: 'unknown_field' },
    ])
  })
})
