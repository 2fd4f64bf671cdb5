import { randomUUID } from 'node:crypto'
import net from 'node:net'
import type { LightMyRequestResponse } from 'fastify'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/platform/db.ts'
import { createTestApp, type Organisation, type TestApp, testClock } from '../app.ts'
import { createTestDatabase } from '../database.ts'

const clock = testClock()
let db: Database
let nodes: [TestApp, TestApp]
let pools: [Database, Database]
let org: Organisation
const newKey = () => `key-${randomUUID()}`

beforeAll(async () => {
  const database = await createTestDatabase()
  db = database.db
  const settings = { PARLEY_RATE_LIMIT_PER_MINUTE: '1000000' }
  const node = (name: string) => {
    const pool = openDatabase({ url: database.url, applicationName: name })
    return { pool, app: createTestApp({ database: { db: pool, url: database.url }, clock, settings }) }
  }
  const [first, second] = [node('attack 1'), node('attack 2')]
  pools = [first.pool, second.pool]
  nodes = [await first.app, await second.app]
  org = await nodes[0].organisation()
})

const bodyOf = (more: object = {}) => ({ agent_id: org.agentId, user_number: '+15005550001', ...more })
const create = (key: string, body: object = bodyOf(), node: TestApp = nodes[0], apiKey = org.key) =>
  node.send(apiKey, 'POST', '/v1/calls', body, { 'idempotency-key': key })
const countCalls = async () => Number((await db.query<{ n: string }>('select count(*) as n from calls'))[0]?.n)
const expireKeys = () => db.query(`update idempotency_keys set expires_at = now() - interval '1 ms'`)
const replayed = (answer: LightMyRequestResponse) => answer.headers['idempotent-replayed'] === 'true'
const statuses = (answers: LightMyRequestResponse[]) => [...new Set(answers.map((each) => each.statusCode))]

/** One call, one first answer, and all the others equal to it, byte for byte. */
function expectOneCall(answers: LightMyRequestResponse[], made: number): void {
  expect(statuses(answers)).toEqual([201])
  expect(new Set(answers.map((each) => each.rawPayload.toString('hex'))).size).toBe(1)
  expect(new Set(answers.map((each) => each.headers['content-type'])).size).toBe(1)
  expect(answers.filter((each) => !replayed(each))).toHaveLength(1)
  expect(answers.filter((each) => 'idempotent-replayed' in each.headers)).toHaveLength(answers.length - 1)
  expect(made).toBe(1)
}

describe('fifty at once with one key', () => {
  const fifty = (send: (at: number) => Promise<LightMyRequestResponse>) =>
    Promise.all(Array.from({ length: 50 }, (_, at) => send(at)))

  it('make one call and get fifty equal answers, also across two nodes', async () => {
    for (const spread of [() => nodes[0], (at: number) => nodes[at % 2 === 0 ? 0 : 1]]) {
      for (let round = 0; round < 5; round += 1) {
        const [key, before] = [newKey(), await countCalls()]
        const answers = await fifty((at) => create(key, bodyOf(), spread(at)))
        expectOneCall(answers, (await countCalls()) - before)
      }
    }
  }, 120_000)

  it('do so too when the key has just expired', async () => {
    const key = newKey()
    await create(key)
    await expireKeys()
    const before = await countCalls()
    const answers = await fifty((at) => create(key, bodyOf(), nodes[at % 2 === 0 ? 0 : 1]))
    expectOneCall(answers, (await countCalls()) - before)
  })

  it('and two bodies: one wins, the others of it are equal, the rest is refused', async () => {
    const [key, before] = [newKey(), await countCalls()]
    const answers = await fifty((at) => create(key, bodyOf({ user_name: at % 2 ? 'Odd' : 'Even' })))
    expect(statuses(answers).sort()).toEqual([201, 422])
    const winners = answers.filter((each) => each.statusCode === 201)
    expect(winners).toHaveLength(25)
    expectOneCall(winners, (await countCalls()) - before)
  })

  it('different keys in opposite order, in parallel batches, do not wait for each other in a circle', async () => {
    const before = await countCalls()
    const rounds = 40
    for (let round = 0; round < rounds; round += 1) {
      const batch = Array.from({ length: 20 }, newKey)
      const there = batch.map((key) => create(key, bodyOf(), nodes[0]))
      const back = batch.toReversed().map((key) => create(key, bodyOf(), nodes[1]))
      expect(statuses(await Promise.all([...there, ...back]))).toEqual([201])
    }
    expect((await countCalls()) - before).toBe(rounds * 20)
  }, 120_000)
})

describe('a key', () => {
  it('with the same body answers the same again, with another body 422', async () => {
    const key = newKey()
    const first = await create(key)
    expect(first.headers).not.toHaveProperty('idempotent-replayed')
    const again = await create(key)
    expect([again.rawPayload.equals(first.rawPayload), replayed(again)]).toEqual([true, true])
    const other = await create(key, bodyOf({ user_name: 'Somebody else' }))
    expect([other.statusCode, other.json().error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    expect((await create(key)).rawPayload.equals(first.rawPayload)).toBe(true)
  })

  it('has 1 to 255 visible ASCII characters', async () => {
    const good = ['a', '!', '~', '"quoted"', 'a,b', '\\', 'k'.repeat(255)]
    for (const key of good) expect([key, (await create(key)).statusCode]).toEqual([key, 201])
    const before = await countCalls()
    const bad = [
      '',
      ' ',
      'k'.repeat(256),
      'k'.repeat(9_000),
      'a b',
      'a\tb',
      'é',
      'ключ',
      '\u00a0',
      'a\u007f',
      'a\0b',
      '😀',
    ]
    for (const key of bad) {
      const answer = await create(key)
      expect([key, answer.statusCode]).toEqual([key, 400])
      expect(answer.json().error.details).toMatchObject([{ field: 'Idempotency-Key' }])
    }
    expect(await countCalls()).toBe(before)
  })

  it('sent twice in one request is refused', async () => {
    await nodes[0].app.listen({ port: 0, host: '127.0.0.1' })
    const before = await countCalls()
    const text = JSON.stringify(bodyOf())
    const head = ['POST /v1/calls HTTP/1.1', 'Host: x', `x-api-key: ${org.key}`, 'Content-Type: application/json']
    const twice = [
      'Idempotency-Key: one',
      'Idempotency-Key: two',
      `Content-Length: ${text.length}`,
      'Connection: close',
    ]
    const socket = net.connect((nodes[0].app.server.address() as net.AddressInfo).port, '127.0.0.1')
    socket.write([...head, ...twice, '', text].join('\r\n'))
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk)
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 400 /)
    expect(await countCalls()).toBe(before)
  })

  it('belongs to the organisation, not to the API key, and to no other organisation', async () => {
    const key = newKey()
    const first = await create(key)
    const colleague = await nodes[0].keyWith(org.organisationId, ['calls:create'])
    expect((await create(key, bodyOf(), nodes[1], colleague)).rawPayload.equals(first.rawPayload)).toBe(true)
    const stranger = await nodes[0].organisation()
    const theirs = await create(key, { ...bodyOf(), agent_id: stranger.agentId }, nodes[0], stranger.key)
    expect([theirs.statusCode, replayed(theirs)]).toEqual([201, false])
    expect(theirs.json().data.call_id).not.toBe(first.json().data.call_id)
  })

  it('is not used up by a refused request', async () => {
    const key = newKey()
    const refused: [object, number][] = [
      [bodyOf({ user_number: '+1' }), 422],
      [bodyOf({ nonsense: true }), 400],
      [bodyOf({ agent_id: `agt_${'0'.repeat(32)}` }), 400],
    ]
    for (const [body, status] of refused) expect((await create(key, body)).statusCode).toBe(status)
    const made = await create(key)
    expect([made.statusCode, replayed(made)]).toEqual([201, false])
  })

  it('is free again when it has expired, for any body', async () => {
    const key = newKey()
    const first = await create(key)
    await expireKeys()
    const second = await create(key, bodyOf({ user_name: 'Later' }))
    expect([second.statusCode, replayed(second)]).toEqual([201, false])
    expect(second.json().data.call_id).not.toBe(first.json().data.call_id)
    expect(replayed(await create(key, bodyOf({ user_name: 'Later' })))).toBe(true)
  })

  it('still answers the same when scheduled_time has passed meanwhile', async () => {
    const body = bodyOf({ scheduled_time: new Date(clock.now().getTime() + 10_000).toISOString() })
    const key = newKey()
    const first = await create(key, body)
    clock.advance(20_000)
    const again = await create(key, body)
    expect([again.statusCode, again.body]).toEqual([201, first.body])
  })

  it.each(['phone_number_id = null', `type = 'inbound'`])(
    'still answers the same after %s of its agent',
    async (change) => {
      const mine = await nodes[0].organisation()
      const key = newKey()
      const body = bodyOf({ agent_id: mine.agentId })
      const first = await create(key, body, nodes[0], mine.key)
      await db.query(`update agents set ${change} where agent_id = $1`, [mine.agentId])
      const again = await create(key, body, nodes[0], mine.key)
      expect([again.statusCode, again.body]).toEqual([201, first.body])
      const other = await create(key, { ...body, user_name: 'Other' }, nodes[0], mine.key)
      expect(other.json().error.code).toBe('IDEMPOTENCY_KEY_REUSED')
    },
  )
})

describe('afterwards', () => {
  it('PostgreSQL has seen no deadlock', async () => {
    await Promise.all(pools.map((pool) => pool.close()))
    const open = async () =>
      (await db.query(`select 1 from pg_stat_activity where application_name like 'attack %'`)).length
    // A connection hands in its statistics when it ends.
    for (let tries = 0; tries < 200 && (await open()) > 0; tries += 1) await new Promise((done) => setTimeout(done, 25))
    const [row] = await db.query<{ n: string }>(
      'select deadlocks as n from pg_stat_database where datname = current_database()',
    )
    expect(Number(row?.n)).toBe(0)
  })
})
