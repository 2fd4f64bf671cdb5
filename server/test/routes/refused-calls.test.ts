import { describe, expect, it } from 'vitest'
import { createTestApp, testClock } from '../app.ts'

const clock = testClock(new Date('2026-11-15T09:00:00.000Z'))
const t = await createTestApp({ clock })
const org = await t.organisation()
const create = (body: object) =>
  t.send(org.key, 'POST', '/v1/calls', { agent_id: org.agentId, user_number: '+15005550001', ...body })

describe('a call that is refused is told everything at once', () => {
  it('a number past every double is refused by its field, not stored as null', async () => {
    for (const [number, field] of [
      ['1e400', 'a'],
      ['-1e400', 'a b'],
    ]) {
      const body = `{"agent_id":"${org.agentId}","user_number":"+15005550001","additional_info":{"${field}":${number}}}`
      const response = await t.send(org.key, 'POST', '/v1/calls', body)
      expect(response.statusCode).toBe(400)
      expect(response.json().error.details).toEqual([
        expect.objectContaining({ field: `additional_info.${field}`, code: 'not_exact' }),
      ])
    }
  })

  it.each([
    ['NUL', { user_name: 'a\0b' }, 'user_name'],
    ['half a surrogate pair', { user_name: '\ud800' }, 'user_name'],
    ['NUL inside additional_info', { additional_info: { note: '\0' } }, 'additional_info.note'],
    ['NUL in a key', { additional_info: { 'a\0': 1 } }, 'additional_info.a\0'],
  ])('%s in well-formed JSON is told by its field', async (_name, body, field) => {
    const response = await create(body)
    expect(response.statusCode).toBe(400)
    expect(response.json().error.details).toEqual([expect.objectContaining({ field, code: 'format' })])
  })

  it('names odd text beside every other fault', async () => {
    const response = await t.send(org.key, 'POST', '/v1/calls', { user_name: '\0', user_email: 5 })
    const fields = response.json().error.details.map((each: { field: string }) => each.field)
    expect(fields.sort()).toEqual(['agent_id', 'user_email', 'user_name', 'user_number'])
  })

  it.each(['user_number', 'contact_number'])('names a bad %s beside another fault, with 400', async (name) => {
    const body = { agent_id: org.agentId, [name]: '+442071838750', scheduled_time: '2026-12-01T10:00:00' }
    const response = await t.send(org.key, 'POST', '/v1/calls', body)
    expect([response.statusCode, response.json().error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(response.json().error.details).toEqual([
      expect.objectContaining({ field: 'scheduled_time', code: 'no_offset' }),
      expect.objectContaining({ field: name, code: 'unsupported_country' }),
    ])
  })
})

describe('AGENT_NOT_CALLABLE names agent_id', async () => {
  const other = await t.organisation()
  const odd = await t.organisation({
    agents: [{ name: 'No number' }, { name: 'Inbound', type: 'inbound', number: '+15005550000' }],
  })

  it.each([
    ['an unknown agent', 'agt_00000000000000000000000000000000', 'agent_missing'],
    ['a text that is no id', 'x', 'agent_missing'],
    ["another organisation's agent", other.agentId, 'agent_missing'],
  ])('400 for %s', async (_what, agent_id, code) => {
    const response = await create({ agent_id })
    expect(response.statusCode).toBe(400)
    expect(response.json().error).toMatchObject({ code: 'AGENT_NOT_CALLABLE', details: [{ field: 'agent_id', code }] })
  })

  it.each([
    [0, 'agent_without_number'],
    [1, 'agent_not_outbound'],
  ])('400 for an agent that cannot call (%i)', async (index, code) => {
    const body = { agent_id: odd.agents[index]?.agent_id, user_number: '+15005550001' }
    const response = await t.send(odd.key, 'POST', '/v1/calls', body)
    expect(response.statusCode).toBe(400)
    expect(response.json().error).toMatchObject({ code: 'AGENT_NOT_CALLABLE', details: [{ field: 'agent_id', code }] })
  })

  it('400 wins over a bad number, and both are named', async () => {
    const nobody = `agt_${'0'.repeat(32)}`
    const [mute, inbound] = odd.agents.map((each) => each?.agent_id)
    for (const [key, agent_id, code] of [
      [org.key, nobody, 'agent_missing'],
      [org.key, 'two words', 'agent_missing'],
      [org.key, other.agentId, 'agent_missing'],
      [odd.key, mute, 'agent_without_number'],
      [odd.key, inbound, 'agent_not_outbound'],
    ]) {
      const response = await t.send(String(key), 'POST', '/v1/calls', { agent_id, user_number: '+1' })
      expect([response.statusCode, response.json().error.code]).toEqual([400, 'AGENT_NOT_CALLABLE'])
      expect(response.json().error.details).toEqual([
        expect.objectContaining({ field: 'agent_id', code }),
        expect.objectContaining({ field: 'user_number', code: 'invalid_phone_number' }),
      ])
    }
  })

  it('is named beside a faulty field too', async () => {
    const response = await create({ agent_id: other.agentId, user_name: 5 })
    const fields = response.json().error.details.map((each: { field: string }) => each.field)
    expect(fields).toEqual(['user_name', 'agent_id'])
  })
})
