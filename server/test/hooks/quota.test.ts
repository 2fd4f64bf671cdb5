import { describe, expect, it } from 'vitest'
import { hookQuota } from '../../src/hooks/hooks.service.ts'
import { createTestApp, type Organisation } from '../app.ts'
import { createTestDatabase } from '../database.ts'
import { countCalls, createBody, createNode, expectRefused, post, tokenOf, usedQuota } from './hook.ts'

const database = await createTestDatabase()
const quotas = { base: 5, professional: 7, enterprise: 100 }
const settings = {
  PARLEY_HOOK_QUOTA_BASE: String(quotas.base),
  PARLEY_HOOK_QUOTA_PROFESSIONAL: String(quotas.professional),
  PARLEY_HOOK_QUOTA_ENTERPRISE: String(quotas.enterprise),
}
const node = () => createNode(database.url, { settings })
const t = await node()
const organisationOn = (plan: keyof typeof quotas) =>
  t.organisation({ organisation: { name: plan, plan, credits: 1_000 } })
const create = (org: Organisation, on = t) => post(on, tokenOf(org), createBody(org))

const secondsToMidnight = () => {
  const now = new Date()
  return (Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1) - now.getTime()) / 1_000
}

describe('§7.3 429: the daily quota', () => {
  it.each(['base', 'professional', 'enterprise'] as const)(
    '%s: as many as its plan says, then DAILY_QUOTA_EXCEEDED',
    async (plan) => {
      const org = await organisationOn(plan)
      for (let left = quotas[plan] - 1; left >= 0; left -= 1) {
        const answer = await create(org)
        expect(answer.statusCode).toBe(201)
        expect(answer.headers['ratelimit-policy']).toBe(`"daily";q=${quotas[plan]};w=86400`)
        expect(answer.headers.ratelimit).toMatch(new RegExp(`^"daily";r=${left};t=\\d+$`))
      }
      const refused = await create(org)
      expectRefused(refused, 429, 'DAILY_QUOTA_EXCEEDED')
      expect(await countCalls(t, org)).toBe(quotas[plan])
      const wait = Number(refused.headers['retry-after'])
      expect(Number.isInteger(wait) && wait >= 1 && wait <= 86_400).toBe(true)
      // Until the next midnight in UTC, give or take the moment between the two looks at the clock.
      const apart = Math.abs(wait - secondsToMidnight())
      expect(Math.min(apart, 86_400 - apart)).toBeLessThan(60)
      expect(await hookQuota({ db: t.db, hookQuotas: quotas }, org.organisationId)).toMatchObject({
        limit: quotas[plan],
        used: quotas[plan],
        remaining: 0,
        resets_at: expect.stringMatching(/T00:00:00\.000Z$/),
      })
    },
  )

  it('is exact for many at once on two nodes', async () => {
    const other = await node()
    const org = await organisationOn('enterprise')
    const answers = await Promise.all(Array.from({ length: 160 }, (_, at) => create(org, at % 2 === 0 ? t : other)))
    const statuses = answers.map((each) => each.statusCode)
    expect(statuses.filter((each) => each === 201)).toHaveLength(100)
    expect(statuses.filter((each) => each === 429)).toHaveLength(60)
    expect(await usedQuota(t, org)).toBe(100)
    expect(await countCalls(t, org)).toBe(100)
  })

  it('counts whatever was understood or not, but not what was refused with 401', async () => {
    const org = await organisationOn('base')
    const send = (body: unknown) => post(t, tokenOf(org), body)
    await post(t, `${tokenOf(org).slice(0, -1)}x`, createBody(org))
    expect(await usedQuota(t, org)).toBe(0)
    expect((await send('{broken')).statusCode).toBe(400)
    expect((await send({ action: 'nonsense' })).statusCode).toBe(400)
    expect((await send({ action: 'call.cancel', data: { call_id: 'x' } })).statusCode).toBe(404)
    expect((await send(createBody(org, { contact_number: '+1' }))).statusCode).toBe(400)
    expect((await send(createBody(org))).statusCode).toBe(201)
    expect(await usedQuota(t, org)).toBe(5)
    for (const body of ['{broken', { action: 'nonsense' }, createBody(org)]) {
      expectRefused(await send(body), 429, 'DAILY_QUOTA_EXCEEDED')
    }
  })

  it('starts anew with the day, is no matter of other organisations, and grows with the plan', async () => {
    const [org, other] = [await organisationOn('base'), await organisationOn('base')]
    for (let sent = 0; sent < quotas.base; sent += 1) await create(org)
    expect((await create(org)).statusCode).toBe(429)
    expect((await create(other)).statusCode).toBe(201)
    await t.db.query(`update organisations set plan = 'professional' where organisation_id = $1`, [org.organisationId])
    expect((await create(org)).statusCode).toBe(201)
    expect((await create(org)).statusCode).toBe(201)
    expect((await create(org)).statusCode).toBe(429)
    await t.db.query('update hook_usage set day = day - 1 where organisation_id = $1', [org.organisationId])
    expect((await create(org)).statusCode).toBe(201)
  })

  it('of 0 lets nobody in', async () => {
    const closed = await createTestApp({ settings: { PARLEY_HOOK_QUOTA_BASE: '0' } })
    const org = await closed.organisation({ organisation: { name: 'Base', plan: 'base', credits: 5 } })
    expectRefused(await post(closed, tokenOf(org), createBody(org)), 429, 'DAILY_QUOTA_EXCEEDED')
  })
})
