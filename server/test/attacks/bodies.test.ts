import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type Organisation, type TestApp } from '../app.ts'

let t: TestApp
let org: Organisation

beforeAll(async () => {
  t = await createTestApp({ settings: { PARLEY_RATE_LIMIT_PER_MINUTE: '1000000' } })
  org = await t.organisation()
})

const create = (more: object = {}, headers: object = {}) =>
  t.send(org.key, 'POST', '/v1/calls', { agent_id: org.agentId, user_number: '+15005550001', ...more }, headers)

describe('the body of a request', () => {
  it('comes back as it was sent: additional_info with odd keys and values', async () => {
    const oddKeys = fc.constantFrom(
      'constructor',
      'toString',
      'hasOwnProperty',
      'toJSON',
      'then',
      'length',
      '/~0~1',
      '{{k}}',
    )
    const key = fc.oneof(oddKeys, fc.string({ unit: 'binary', minLength: 1, maxLength: 32 }))
    const text = fc.string({ unit: 'grapheme', maxLength: 100 }).filter((each) => !each.includes('\0'))
    // Larger whole numbers are refused, since JSON.parse has rounded them.
    const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 })
    const value = fc.oneof(text, number, fc.boolean(), fc.constant(null))
    const pairs = fc.dictionary(
      key.filter((each) => !/\0|^__proto__$/.test(each)),
      value,
      { maxKeys: 25 },
    )
    const property = fc.asyncProperty(pairs, async (info) => {
      const made = await create({ additional_info: info })
      expect(made.statusCode, made.body).toBe(201)
      const sent = JSON.parse(JSON.stringify(info))
      const one = await t.send(org.key, 'GET', `/v1/calls/${made.json().data.call_id}`)
      expect(one.json().data.additional_info).toEqual(sent)
      const list = await t.send(org.key, 'GET', '/v1/calls?limit=1')
      expect(list.json().data[0].additional_info).toEqual(sent)
    })
    await fc.assert(property, { seed: 20_261_115, numRuns: 40, timeout: 20_000 })
  }, 120_000)

  it.each(['[]', '[{"dry_run":true}]', '"now"', '42', 'false'])('is refused where there is none: %s', async (body) => {
    const callId: string = (await create()).json().data.call_id
    const answer = await t.send(org.key, 'POST', `/v1/calls/${callId}/cancel`, body)
    expect(answer.statusCode, answer.body).toBe(400)
  })

  it('names a faulty key without repeating all 200,000 characters of it, twice', async () => {
    const answer = await create({ additional_info: { ['k'.repeat(200_000)]: 2 ** 60 } })
    expect(answer.statusCode).toBe(400)
    expect(answer.rawPayload.length).toBeLessThan(10_000)
  })

  it('with a bad number and a bad Idempotency-Key: 400 wins over 422', async () => {
    const answer = await create({ user_number: '+1' }, { 'idempotency-key': 'two words' })
    expect(answer.statusCode, answer.body).toBe(400)
  })

  it.each(['0x10', '05', '1e1', '%205', '5%20', '%2B5', '5.0', '%0A5'])(
    'a limit is written in digits, not as %s',
    async (limit) => {
      const answer = await t.send(org.key, 'GET', `/v1/calls?limit=${limit}`)
      expect(answer.statusCode, answer.body.slice(0, 200)).toBe(400)
    },
  )

  it('does not take a name for an unknown field of the query, nor guess what was meant', async () => {
    const callId: string = (await create()).json().data.call_id
    const asked: ['GET' | 'POST', string, object?][] = [
      ['GET', `/v1/calls/${callId}?expand=all`],
      ['POST', `/v1/calls/${callId}/cancel?dry_run=true`],
      ['POST', '/v1/calls?dry_run=true', { agent_id: org.agentId, user_number: '+15005550001' }],
    ]
    for (const [method, url, body] of asked) {
      const answer = await t.send(org.key, method, url, body)
      expect.soft(answer.statusCode, `${method} ${url}`).toBe(400)
    }
  })
})
