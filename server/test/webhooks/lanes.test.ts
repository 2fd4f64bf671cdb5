import { beforeAll, describe, expect, it } from 'vitest'
import { perStranger } from '../../src/webhooks/lanes.ts'
import { answering, startReceiver } from '../receiver.ts'
import { createWorld, type World } from './world.ts'

let t: World
beforeAll(async () => {
  t = await createWorld()
})
const withEndpoint = (url: string) => t.organisation({ webhook_endpoints: [{ url }] })

describe('an endpoint that fails', () => {
  it('is switched off after exactly 50 attempts, and what is left is held', async () => {
    const receiver = await startReceiver()
    receiver.behave(answering(503))
    const org = await withEndpoint(receiver.url)
    await t.happen(org, 40)
    await expect
      .poll(() => t.endpoint(org), { timeout: 30_000 })
      .toEqual({
        status: 'disabled',
        consecutive_failures: 50,
        disabled_reason: 'failures',
      })
    await expect.poll(async () => (await t.statuses(org)).pending).toBeUndefined()
    expect(receiver.received).toHaveLength(50)
    const { held = 0, failed = 0 } = await t.statuses(org)
    expect(held + failed).toBe(40)
    const notices = await t.db.query(
      `select kind, consecutive_failures as at, last_failure from webhook_notices where organisation_id = $1 order by 2`,
      [org.organisationId],
    )
    expect(notices).toEqual([
      { kind: 'failing', at: 10, last_failure: 'status 503' },
      { kind: 'failing', at: 25, last_failure: 'status 503' },
      { kind: 'failing', at: 40, last_failure: 'status 503' },
      { kind: 'disabled', at: 50, last_failure: 'status 503' },
    ])

    // While it is off, nothing is sent and nothing is lost.
    await t.happen(org, 3)
    expect((await t.statuses(org)).held).toBe(held + 3)
    expect(receiver.received).toHaveLength(50)
  })

  it('starts anew after one success, and says that it is well again', async () => {
    const receiver = await startReceiver()
    receiver.behave(answering(500))
    const org = await withEndpoint(receiver.url)
    await t.happen(org, 3)
    await expect.poll(async () => (await t.endpoint(org)).consecutive_failures).toBe(15)
    receiver.behave(answering(204))
    await t.happen(org)
    await expect.poll(async () => (await t.endpoint(org)).consecutive_failures).toBe(0)
    const kinds = await t.db.query('select kind from webhook_notices where organisation_id = $1 order by created_at', [
      org.organisationId,
    ])
    expect(kinds).toEqual([{ kind: 'failing' }, { kind: 'recovered' }])
  })
})

describe('one endpoint does not delay the others', () => {
  it('has at most its share of sends in flight, while others get theirs', async () => {
    const hanging = await startReceiver()
    hanging.behave(() => {})
    const healthy = await startReceiver()
    const [slow, quick] = [await withEndpoint(hanging.url), await withEndpoint(healthy.url)]
    await t.happen(slow, 60)
    await hanging.until(perStranger)
    await t.happen(quick, 60)
    await healthy.until(60)
    expect(hanging.received).toHaveLength(perStranger)
    await t.db.query(`update webhook_endpoints set status = 'disabled' where organisation_id = $1`, [
      slow.organisationId,
    ])
    await hanging.close()
  })

  it('sends what failed one at a time, and what is well as it comes', async () => {
    const receiver = await startReceiver()
    const org = await withEndpoint(receiver.url)
    await t.db.query('update webhook_endpoints set consecutive_failures = 5 where organisation_id = $1', [
      org.organisationId,
    ])
    let inFlight = 0
    let most = 0
    receiver.behave((_request, response) => {
      inFlight += 1
      most = Math.max(most, inFlight)
      setTimeout(() => {
        inFlight -= 1
        response.writeHead(500).end()
      }, 20)
    })
    await t.happen(org, 6)
    await receiver.until(6)
    expect(most).toBe(1)
  })

  it('starts the first attempts of one organisation in the order of their events', async () => {
    const receiver = await startReceiver()
    const org = await withEndpoint(receiver.url)
    const ids: string[] = []
    for (let i = 0; i < 15; i += 1) ids.push(...(await t.happen(org)))
    await receiver.until(15)
    await expect.poll(() => t.statuses(org)).toEqual({ succeeded: 15 })
    const rows = await t.db.query<{ event_id: string; started_at: Date }>(
      'select event_id, started_at from webhook_attempts join webhook_deliveries using (delivery_id) where event_id = any($1)',
      [ids],
    )
    const startedAt = new Map(rows.map((row) => [row.event_id, row.started_at.getTime()]))
    const starts = ids.map((id) => startedAt.get(id))
    expect(starts).toEqual(starts.toSorted((a, b) => Number(a) - Number(b)))
  })
})
