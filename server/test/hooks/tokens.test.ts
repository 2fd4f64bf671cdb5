import { describe, expect, it } from 'vitest'
import { regenerateInboundToken } from '../../src/organisations/organisations.service.ts'
import type { Database } from '../../src/platform/db.ts'
import { randomToken } from '../../src/platform/secrets.ts'
import { createTestApp, testClock } from '../app.ts'
import { createTestDatabase } from '../database.ts'
import { createBody, createNode, expectRefused, post, tokenOf, usedQuota, visible } from './hook.ts'

const database = await createTestDatabase()
let queries = 0
/** Counts what is asked, so that two ways to be refused can be compared without a clock. */
const counting: Database = {
  ...database.db,
  query: (text, values) => {
    queries += 1
    return database.db.query(text, values)
  },
}
const settings = { PARLEY_RATE_LIMIT_PER_MINUTE: '1000000' }
const t = await createTestApp({ settings, database: { db: counting, url: database.url } })
const second = await createNode(database.url, { settings })
const org = await t.organisation()
const other = await t.organisation()
const body = createBody(org)
const regenerate = (of = org) => regenerateInboundToken(database.db, of.organisationId)

const oldToken = tokenOf(org)
const token = await regenerate()
const oldForeign = tokenOf(other)
await regenerate(other)
const elsewhere = await (await createTestApp()).organisation()

const wrong: [string, string][] = [
  ['unknown', randomToken()],
  ['old', oldToken],
  ["another organisation's old one", oldForeign],
  ["another installation's", tokenOf(elsewhere)],
  ['an API key', org.key],
  ['short by one', token.slice(0, -1)],
  ['long by one', `${token}a`],
  ['in capitals', token.toUpperCase()],
  ['reversed', [...token].reverse().join('')],
  ['300 characters', 'x'.repeat(300)],
  ['5,000 characters', 'x'.repeat(5_000)],
  ['with a slash', `${token}/x`],
  ['with a slash behind', `${token}/`],
  ['with a slash before', `/${token}`],
  ['with an encoded slash', `${token}%2Fx`],
  ['with encoded dot segments', `%2e%2e%2f${token}`],
  ['with NUL', `${token}%00`],
  ['only NUL', '%00'],
  ['with a line feed', `${token}%0a`],
  ['with a space', `${token}%20`],
  ['encoded twice', `%25${Buffer.from(token).toString('hex').replace(/../g, '%25$&').slice(3)}`],
  ['not UTF-8', '%c3%28'],
  ['not hex', '%zz'],
  ['a lone percent sign', '%'],
  ['a SQL joke', `'%20or%20'1'='1`],
  ['a wildcard', '%25'],
  ['a star', '*'],
  ['the name of the parameter', ':secret_token'],
  ['emoji', '%F0%9F%98%80'],
  ['empty', ''],
]

describe('a token that is not valid', () => {
  it.each(wrong)('%s: the same 401 as any other', async (_name, each) => {
    const unknown = await post(t, randomToken(), body)
    expectRefused(unknown, 401, 'INVALID_TOKEN')
    expect(unknown.json().error.details).toEqual([])
    const answer = await post(t, each, body)
    expect(answer.statusCode).toBe(401)
    expect(answer.body.replaceAll(String(answer.headers['x-request-id']), '')).toBe(
      unknown.body.replaceAll(String(unknown.headers['x-request-id']), ''),
    )
  })

  it.each(['unknown', 'old', "another organisation's old one", "another installation's", 'an API key', 'short by one'])(
    '%s: the same headers, and as many questions to the database',
    async (name) => {
      const each = String(wrong.find(([given]) => given === name)?.[1])
      const ask = async (given: string) => {
        const before = queries
        const answer = await post(t, given, body)
        return { asked: queries - before, seen: visible(answer) }
      }
      expect(await ask(each)).toEqual(await ask(randomToken()))
    },
  )

  it('takes as long to be refused whichever it is, within what can be measured', async () => {
    const kinds = wrong.slice(0, 4)
    const times = new Map<string, number[]>(kinds.map(([name]) => [name, []]))
    for (let round = 0; round < 60; round += 1) {
      for (const [name, each] of kinds) {
        const from = process.hrtime.bigint()
        await post(t, each, body)
        times.get(name)?.push(Number(process.hrtime.bigint() - from))
      }
    }
    const medians = [...times.values()].map((each) => each.toSorted((a, b) => a - b)[30] ?? 0)
    // Generous: what is measured on a busy machine is mostly the machine.
    expect(Math.max(...medians) / Math.min(...medians)).toBeLessThan(3)
  })

  it('is told nothing else: not about the body, its type, its size, or a signature', async () => {
    const unknown = visible(await post(t, randomToken(), body))
    const cases: [unknown, Record<string, string>][] = [
      ['{broken', {}],
      ['x'.repeat(300_000), {}],
      ['hello', { 'content-type': 'text/plain' }],
      [body, { 'content-encoding': 'gzip' }],
      [body, { 'x-inbound-signature': 'x' }],
      [body, { 'idempotency-key': 'not a key' }],
    ]
    for (const [payload, headers] of cases)
      expect(visible(await post(t, randomToken(), payload, headers))).toEqual(unknown)
  })

  it('counts against nobody and is recorded for nobody', async () => {
    const [before] = await database.db.query<{ n: string }>('select count(*) as n from hook_requests')
    await post(t, oldToken, body)
    const [after] = await database.db.query<{ n: string }>('select count(*) as n from hook_requests')
    expect(after?.n).toBe(before?.n)
    expect(await usedQuota(t, org)).toBe(0)
  })
})

describe('a good token', () => {
  it('percent-encoded is the same token, as in any URL', async () => {
    const encoded = Buffer.from(token).toString('hex').replace(/../g, '%$&')
    expect((await post(t, encoded, body)).statusCode).toBe(201)
  })

  it('regenerated: the old one fails and the new one works on the very next request, on every node', async () => {
    const own = await t.organisation()
    let present = tokenOf(own)
    for (let round = 0; round < 10; round += 1) {
      const next = await regenerate(own)
      const ask = (each: string) => Promise.all([t, second].map((node) => post(node, each, createBody(own))))
      expect((await ask(present)).map((each) => each.statusCode)).toEqual([401, 401])
      expect((await ask(next)).map((each) => each.statusCode)).toEqual([201, 201])
      present = next
    }
  })

  it('is stored as a digest only', async () => {
    const [row] = await database.db.query<{ dump: string }>(
      `select string_agg(o::text, '') as dump from organisations o`,
    )
    expect(row?.dump).not.toContain(token)
    expect(row?.dump).not.toContain(Buffer.from(token).toString('hex'))
  })
})

describe('bad tokens from one address', () => {
  const clock = testClock()
  it('are limited, say when to come back, and never hold up a good token from the same address', async () => {
    const limited = await createTestApp({ clock, settings: { PARLEY_RATE_LIMIT_PER_MINUTE: '5' } })
    const own = await limited.organisation()
    const bad = (remoteAddress?: string) =>
      limited.app.inject({
        method: 'POST',
        url: `/v1/hooks/${randomToken()}`,
        payload: {},
        ...(remoteAddress ? { remoteAddress } : {}),
      })
    for (let sent = 0; sent < 5; sent += 1) expectRefused(await bad(), 401, 'INVALID_TOKEN')
    const refused = await bad()
    expectRefused(refused, 429, 'RATE_LIMITED')
    expect(refused.headers['retry-after']).toBe('12')
    expectRefused(await post(limited, 'a/b', {}), 429, 'RATE_LIMITED')
    expectRefused(await bad('203.0.113.9'), 401, 'INVALID_TOKEN')
    for (let sent = 0; sent < 8; sent += 1) {
      expect((await post(limited, tokenOf(own), createBody(own))).statusCode).toBe(201)
    }
    clock.advance(12_000)
    expectRefused(await bad(), 401, 'INVALID_TOKEN')
    expectRefused(await bad(), 429, 'RATE_LIMITED')
  })

  it('and signatures that do not hold are limited together', async () => {
    const limited = await createTestApp({ clock, settings: { PARLEY_RATE_LIMIT_PER_MINUTE: '2' } })
    const own = await limited.organisation({
      organisation: { name: 'Signing', credits: 5, inbound: { signing: true } },
    })
    const unsigned = () => post(limited, tokenOf(own), createBody(own))
    expectRefused(await post(limited, randomToken(), {}), 401, 'INVALID_TOKEN')
    expectRefused(await unsigned(), 401, 'INVALID_SIGNATURE')
    expectRefused(await unsigned(), 429, 'RATE_LIMITED')
  })
})

describe('log lines', () => {
  it('hold no token, good or bad, wherever it stood', async () => {
    const bad = randomToken()
    const urls = [token, bad, `${token}/x`, `${token}%zz`, `${token}?t=${token}`]
    for (const each of urls) await post(t, each, body, { referer: `https://example.com/${token}` })
    for (const method of ['GET', 'PUT'] as const) await t.app.inject({ method, url: `/v1/hooks/${token}` })
    await database.db.query('alter table hook_usage rename to hook_usage_away')
    expect((await post(t, token, body)).statusCode).toBe(500)
    await database.db.query('alter table hook_usage_away rename to hook_usage')
    const log = t.logLines.join('')
    expect(log).toContain('/v1/hooks/:secret_token')
    for (const secret of [token, bad, oldToken, '15005550001']) expect(log).not.toContain(secret)
  })
})
