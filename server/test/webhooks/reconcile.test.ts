import { beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '../../src/platform/log.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import { reconcile } from '../../src/webhooks/reconcile.ts'
import type { Organisation } from '../app.ts'
import { startReceiver } from '../receiver.ts'
import { createWorld, type World } from './world.ts'

let t: World
let org: Organisation
const metrics = createMetrics(async () => ({ oldestDueSeconds: 0, disabledEndpoints: 0 }))
const log = createLog('silent')
const mend = () => reconcile({ db: t.db, log, metrics })
const minuteAgo = `now() - interval '1 minute'`

beforeAll(async () => {
  t = await createWorld({ workers: { roles: [] } })
  const receiver = await startReceiver()
  org = await t.organisation({ webhook_endpoints: [{ url: receiver.url }] })
  await t.db.query(`update webhook_endpoints set subscribed_since = now() - interval '1 day'`)
})
const happened = async (count: number) => {
  const ids = await t.happen(org, count)
  await t.db.query(`update events set created_at = ${minuteAgo}`)
  await t.db.query(`update webhook_deliveries set created_at = ${minuteAgo}`)
  await t.db.query(`update webhook_queue set due_at = ${minuteAgo}`)
  return ids
}

describe('the look over deliveries, every minute', () => {
  it('finds nothing where nothing is broken', async () => {
    await happened(3)
    expect(await mend()).toEqual({})
  })

  it('makes the delivery of an event that has none, once', async () => {
    const [eventId] = await happened(1)
    await t.db.query(
      'delete from webhook_queue where delivery_id in (select delivery_id from webhook_deliveries where event_id = $1)',
      [eventId],
    )
    await t.db.query('delete from webhook_deliveries where event_id = $1', [eventId])
    expect(await mend()).toEqual({ event_without_delivery: 1, pending_without_queue: 1 })
    expect(await mend()).toEqual({})
    const queued = await t.db.query(
      'select d.status from webhook_deliveries d join webhook_queue q using (delivery_id) where d.event_id = $1',
      [eventId],
    )
    expect(queued).toEqual([{ status: 'pending' }])
  })

  it('owes nothing to an endpoint that subscribed later', async () => {
    await happened(1)
    await t.db.query('update webhook_endpoints set subscribed_since = now()')
    await t.db.query('delete from webhook_queue')
    await t.db.query('delete from webhook_deliveries')
    expect(await mend()).toEqual({})
    await t.db.query(`update webhook_endpoints set subscribed_since = now() - interval '1 day'`)
    await t.db.query('delete from events')
  })

  it('puts a pending delivery that fell out of the queue back', async () => {
    await happened(2)
    await t.db.query('delete from webhook_queue')
    expect(await mend()).toEqual({ pending_without_queue: 2 })
  })

  it('frees a lease whose node died, and counts it', async () => {
    await t.db.query(`update webhook_queue set leased_until = ${minuteAgo}`)
    expect(await mend()).toEqual({ expired_lease: 2 })
    expect(await t.db.query('select 1 from webhook_queue where leased_until is not null')).toEqual([])
  })

  it('holds what was queued while its endpoint was being switched off', async () => {
    await t.db.query(`update webhook_endpoints set status = 'disabled'`)
    expect(await mend()).toEqual({ queued_while_disabled: 2 })
    expect(await t.statuses(org)).toEqual({ held: 2 })
    await t.db.query(`update webhook_endpoints set status = 'enabled'`)
  })

  it('takes out of the queue what is over already', async () => {
    await happened(1)
    await t.db.query(`update webhook_deliveries set status = 'succeeded' where status = 'pending'`)
    expect(await mend()).toEqual({ queued_without_pending: 1 })
  })

  it('shows what it mended in the metrics', async () => {
    const text = await metrics.registry.metrics()
    expect(text).toMatch(/parley_webhook_repairs_total\{kind="event_without_delivery"\} 1\n/)
    expect(text).toMatch(/parley_webhook_repairs_total\{kind="expired_lease"\} 2\n/)
  })
})
