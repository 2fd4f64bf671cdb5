import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { slowLaneFrom } from '../../src/webhooks/lanes.ts'
import { lockLanes, takeDue } from '../../src/webhooks/queue.store.ts'
import { type FinishedAttempt, recordAttempts } from '../../src/webhooks/record-attempts.ts'
import type { Organisation } from '../app.ts'
import { startReceiver } from '../receiver.ts'
import { createWorld, type World } from './world.ts'

// Nobody works here but the tests themselves: they are the nodes.
let t: World
beforeAll(async () => {
  t = await createWorld({ workers: { roles: [] } })
})
const claim = (leaseMs: number, capacity = 10) =>
  t.db.transaction(async (tx) =>
    takeDue(tx, await lockLanes(tx), {
      roomOf: ({ failures }) => (failures >= slowLaneFrom ? 1 : 10),
      slowAfterMs: Math.ceil(leaseMs / 2),
      capacity,
      leaseMs,
    }),
  )
type Claimed = Awaited<ReturnType<typeof claim>>[number]
const attempt = (of: Claimed, failure: FinishedAttempt['failure']): FinishedAttempt => ({
  deliveryId: of.delivery_id,
  endpointId: of.endpoint_id,
  fence: of.fence,
  number: of.attempt + 1,
  counts: true,
  startedAt: new Date(),
  durationMs: 5,
  statusCode: failure ? 500 : 200,
  failure,
  detail: null,
  response: null,
  endedAtMs: performance.now(),
})
const record = async (of: Claimed, failure: FinishedAttempt['failure']) =>
  (await recordAttempts(t.db, [attempt(of, failure)], [30_000])).recorded[0]
const newOrganisation = async (): Promise<Organisation> => {
  const receiver = await startReceiver()
  return t.organisation({ webhook_endpoints: [{ url: receiver.url }] })
}

describe('a claim', () => {
  it('is nobody else’s while its lease lasts, and free again afterwards', async () => {
    const org = await newOrganisation()
    const [eventId] = await t.happen(org)
    const first = await claim(400)
    expect(first.map((each) => each.event_id)).toEqual([eventId])
    expect(await claim(400)).toEqual([])
    await sleep(450)
    const [again] = await claim(60_000)
    expect(again).toMatchObject({ event_id: eventId, was_leased: true, fence: (first[0]?.fence ?? 0) + 1 })
    expect(await record(again as Claimed, null)).toBe('succeeded')
  })

  it('that lost its lease counts for nothing any more, neither as success nor as failure', async () => {
    const org = await newOrganisation()
    await t.happen(org)
    const [dead] = await claim(1)
    await sleep(20)
    const [alive] = await claim(60_000)
    expect(await record(dead as Claimed, 'status')).toBe('late')
    expect(await record(dead as Claimed, null)).toBe('late')
    expect(await t.endpoint(org)).toMatchObject({ consecutive_failures: 0 })
    expect(await t.statuses(org)).toEqual({ pending: 1 })
    expect(await record(alive as Claimed, null)).toBe('succeeded')
    expect(await record(alive as Claimed, null)).toBe('late')
    expect(
      await t.db.query('select count(*)::int as n from webhook_attempts where delivery_id = $1', [alive?.delivery_id]),
    ).toEqual([{ n: 1 }])
  })

  it('takes turns over endpoints when there is little room', async () => {
    const [busy, quiet] = [await newOrganisation(), await newOrganisation()]
    await t.happen(busy, 8)
    await t.happen(quiet, 1)
    const taken = await claim(60_000, 2)
    expect(new Set(taken.map((each) => each.organisation_id))).toEqual(
      new Set([busy.organisationId, quiet.organisationId]),
    )
    for (const each of [...taken, ...(await claim(60_000))]) await record(each, null)
  })

  it('of two nodes at once never takes one delivery twice', async () => {
    const org = await newOrganisation()
    await t.happen(org, 40)
    const taken: Claimed[] = []
    for (let round = 0; round < 10; round += 1) {
      const both = await Promise.all([claim(60_000), claim(60_000), claim(60_000)])
      taken.push(...both.flat())
      expect(both.flat().length).toBeLessThanOrEqual(10)
      await recordAttempts(
        t.db,
        both.flat().map((each) => attempt(each, null)),
        [],
      )
    }
    expect(taken).toHaveLength(40)
    expect(new Set(taken.map((each) => each.delivery_id)).size).toBe(40)
    expect(await t.statuses(org)).toEqual({ succeeded: 40 })
  })

  it('counts failures of many workers exactly: fifty and not one more', async () => {
    const org = await newOrganisation()
    await t.happen(org, 60)
    let sent = 0
    while ((await t.endpoint(org)).status === 'enabled') {
      const taken = (await Promise.all([claim(60_000), claim(60_000)])).flat()
      sent += taken.length
      await Promise.all(taken.map((each) => recordAttempts(t.db, [attempt(each, 'timeout')], [3_600_000])))
    }
    expect(await t.endpoint(org)).toMatchObject({ consecutive_failures: 50, status: 'disabled' })
    expect(sent).toBe(50)
    expect(await t.statuses(org)).toEqual({ held: 60 })
  })
})
