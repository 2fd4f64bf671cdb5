import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../app.ts'
import { type As, makeEvents, type Signed, signedOrganisation, webhookSettings } from '../dashboard.ts'
import { createTestDatabase } from '../database.ts'
import { answering, type Receiver, startReceiver } from '../receiver.ts'

const since = '2026-01-01T00:00:00Z'
const until = '2126-01-01T00:00:00Z'

let settings: Record<string, string>
let database: { db: TestApp['db']; url: string }
let api: TestApp
let receiver: Receiver
let org: Signed
let owner: As
let endpoint: string

/** A node of the role `webhooks`: to stop, and to start again. */
const startNode = () => createTestApp({ settings, database, workers: {} })

beforeAll(async () => {
  settings = { ...(await webhookSettings()), PARLEY_ROLES: 'webhooks' }
  receiver = await startReceiver()
})

beforeEach(async () => {
  database = await createTestDatabase()
  api = await createTestApp({ settings, database })
  receiver.behave(answering(200))
  receiver.received.length = 0
  org = await signedOrganisation(api, { webhook_endpoints: [{ url: receiver.url }] })
  owner = org.as.owner
  endpoint = `/endpoints/${org.webhook_endpoints[0]?.endpoint_id}`
})

const recover = (body: object = {}) => owner('POST', `${endpoint}/recoveries`, { since, until, ...body })
const get = async (id: string) => (await owner('GET', `/recoveries/${id}`)).json().data
const switchTo = (status: string) => owner('PATCH', endpoint, { status })
const idsOf = () => receiver.received.map(({ event }) => event.event_id)
const countOf = async (status: string) => {
  const [row] = await database.db.query<{ count: number }>(
    'select count(*)::int from webhook_deliveries where status = $1',
    [status],
  )
  return row?.count
}
const untilAll = (status: string, count: number) =>
  expect.poll(() => countOf(status), { timeout: 50_000, interval: 20 }).toBe(count)
const hold = async (count: number) => {
  await switchTo('disabled')
  const made = await makeEvents(api, org.organisationId, count)
  await switchTo('enabled')
  return made
}

describe('a recovery', () => {
  it('counts beforehand, then replays what failed and what was held, and not what succeeded', async () => {
    const node = await startNode()
    await makeEvents(api, org.organisationId, 2)
    await untilAll('succeeded', 2)
    receiver.behave(answering(500))
    const failed = await makeEvents(api, org.organisationId, 2)
    await untilAll('failed', 2)
    const held = await hold(3)
    receiver.behave(answering(200))
    receiver.received.length = 0

    const counted = await recover({ dry_run: true })
    expect([counted.statusCode, counted.json().data]).toEqual([200, { dry_run: true, total: 5 }])
    expect(receiver.received).toEqual([])

    const started = await recover()
    expect(started.statusCode).toBe(202)
    const { recovery_id, ...recovery } = started.json().data
    expect(recovery).toMatchObject({
      status: 'running',
      total: 5,
      replayed: 0,
      ended_at: null,
      until: expect.any(String),
    })
    await untilAll('succeeded', 7)
    expect(idsOf().sort()).toEqual([...failed, ...held].sort())
    await expect
      .poll(() => get(recovery_id))
      .toMatchObject({ status: 'done', replayed: 5, ended_at: expect.any(String) })
    expect((await owner('GET', `${endpoint}/recoveries`)).json().data).toEqual([await get(recovery_id)])

    // Once more there is nothing left to do; and one that is over is not cancelled.
    expect((await recover({ dry_run: true })).json().data.total).toBe(0)
    const again = (await recover()).json().data
    await expect.poll(() => get(again.recovery_id)).toMatchObject({ status: 'done', total: 0, replayed: 0 })
    expect((await owner('POST', `/recoveries/${recovery_id}/cancel`)).json().data).toMatchObject({ status: 'done' })
    expect(receiver.received).toHaveLength(5)
    await node.stopWorkers()
  })

  it('started twice sends each once', async () => {
    const held = await hold(30)
    const started = await Promise.all([recover(), recover()])
    expect(started.map((each) => each.statusCode)).toEqual([202, 202])
    const node = await startNode()
    await untilAll('succeeded', 30)
    for (const each of started) {
      await expect.poll(() => get(each.json().data.recovery_id)).toMatchObject({ status: 'done' })
    }
    expect(idsOf().sort()).toEqual(held.sort())
    await node.stopWorkers()
  })

  it('goes on where it was when the node that worked on it stops and another starts', async () => {
    const held = await hold(350)
    const first = await startNode()
    const { recovery_id } = (await recover()).json().data
    await receiver.until(20)
    await first.stopWorkers()
    const halfway = await get(recovery_id)
    expect(halfway).toMatchObject({ status: 'running', total: 350 })
    expect(halfway.replayed).toBeGreaterThan(0)
    expect(halfway.replayed).toBeLessThan(350)
    const second = await startNode()
    await untilAll('succeeded', 350)
    await expect.poll(() => get(recovery_id)).toMatchObject({ status: 'done', replayed: 350 })
    expect(idsOf().sort()).toEqual(held.sort())
    await second.stopWorkers()
  }, 90_000)

  it('cancelled, replays no more; cancelling again changes nothing', async () => {
    await hold(5)
    const { recovery_id } = (await recover()).json().data
    const cancelled = (await owner('POST', `/recoveries/${recovery_id}/cancel`)).json().data
    expect(cancelled).toMatchObject({ status: 'cancelled', total: 5, replayed: 0, ended_at: expect.any(String) })
    expect((await owner('POST', `/recoveries/${recovery_id}/cancel`)).json().data).toEqual(cancelled)
    const node = await startNode()
    await makeEvents(api, org.organisationId)
    await receiver.until(1)
    expect(await countOf('held')).toBe(5)
    await node.stopWorkers()
    const audit = await database.db.query(
      'select actor, action from audit_log where resource_id = $1 order by audit_id',
      [recovery_id],
    )
    const actor = org.users[0]?.user_id
    expect(audit).toEqual([
      { actor, action: 'webhook_recovery.started' },
      { actor, action: 'webhook_recovery.cancelled' },
    ])
  })

  it('409 for an endpoint that is switched off; switched off later, it ends as cancelled and the rest stays held', async () => {
    await hold(5)
    const { recovery_id } = (await recover()).json().data
    await switchTo('disabled')
    const refused = await recover()
    expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'ENDPOINT_DISABLED'])
    expect((await recover({ dry_run: true })).json().data.total).toBe(5)
    const node = await startNode()
    await expect.poll(() => get(recovery_id), { timeout: 10_000 }).toMatchObject({ status: 'cancelled', replayed: 0 })
    expect(await countOf('held')).toBe(5)
    await node.stopWorkers()
  })

  it('400 for a time that is none, with or without dry_run', async () => {
    for (const [body, field] of [
      [{ since: '2026-01-01T00:00:00' }, 'since'],
      [{ since: 'yesterday' }, 'since'],
      [{ since: '2026-02-30T00:00:00Z' }, 'since'],
      [{ since: '' }, 'since'],
      [{ since: 1_767_225_600 }, 'since'],
      [{ since: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' }, 'since'],
      [{ since: '2026-01-01T00:00:00Z', until: '2026-01-01T00:00:00Z' }, 'since'],
      [{ since: '2126-01-01T00:00:00Z' }, 'since'],
      [{ since, until: 'now' }, 'until'],
      [{ since, form: 'x' }, 'form'],
      [{}, 'since'],
    ] as const) {
      for (const dry_run of [true, false]) {
        const answer = await owner('POST', `${endpoint}/recoveries`, { ...body, dry_run })
        expect(answer.statusCode, JSON.stringify(body)).toBe(400)
        expect(answer.json().error.details).toMatchObject([{ field }])
      }
    }
  })
})
