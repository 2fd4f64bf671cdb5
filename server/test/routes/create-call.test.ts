import { describe, expect, it } from 'vitest'
import { createTestApp, testClock } from '../app.ts'

const clock = testClock(new Date('2026-11-15T09:00:00.000Z'))
const t = await createTestApp({ clock })
const org = await t.organisation()
const create = (body: object, headers?: object) =>
  t.send(org.key, 'POST', '/v1/calls', { agent_id: org.agentId, user_number: '+15005550001', ...body }, headers)
const stored = async (callId: string) => (await t.send(org.key, 'GET', `/v1/calls/${callId}`)).json().data

describe('§4.1 POST /v1/calls', () => {
  it('201 with call_id, status scheduled and scheduled_at', async () => {
    const response = await create({})
    expect(response.statusCode).toBe(201)
    expect(response.json()).toEqual({
      data: {
        call_id: expect.stringMatching(/^call_[0-9a-f]{32}$/),
        status: 'scheduled',
        scheduled_at: '2026-11-15T09:00:15.000Z',
      },
    })
  })

  it('stores every field given and answers them in the union view', async () => {
    const info = { order: 'A-1', amount: 12.5, vip: true, note: null, constructor: 'a word like any other' }
    const response = await create({
      user_name: 'Māya 🙂',
      user_email: 'maya@example.com',
      user_preferred_language: 'hi',
      additional_info: info,
      scheduled_time: '2026-12-01T10:00:00+05:30',
    })
    const call = await stored(response.json().data.call_id)
    expect(call).toEqual({
      call_id: response.json().data.call_id,
      status: 'scheduled',
      call_direction: 'outbound',
      call_to: '+15005550001',
      call_from: null,
      call_duration_seconds: null,
      agent_id: org.agentId,
      agent_name: 'Asha',
      contact_number: '+15005550001',
      contact_name: 'Māya 🙂',
      contact_email: 'maya@example.com',
      contact_preferred_language: 'hi',
      additional_info: info,
      call_recording: null,
      call_transcript: null,
      call_analytics: null,
      extracted_details: null,
      credits_consumed: null,
      scheduled_call_id: null,
      follows_call_id: null,
      call_triggered_at: null,
      scheduled_at: '2026-12-01T04:30:00.000Z',
      completed_at: null,
      cancelled_at: null,
      error: null,
      created_at: '2026-11-15T09:00:00.000Z',
      updated_at: '2026-11-15T09:00:00.000Z',
    })
  })

  it('accepts the legacy contact_* names', async () => {
    const response = await t.send(org.key, 'POST', '/v1/calls', {
      agent_id: org.agentId,
      contact_number: '+919876543210',
      contact_name: 'Ravi',
      contact_email: 'ravi@example.com',
      contact_preferred_language: 'hi',
    })
    expect(await stored(response.json().data.call_id)).toMatchObject({
      call_to: '+919876543210',
      contact_name: 'Ravi',
      contact_email: 'ravi@example.com',
      contact_preferred_language: 'hi',
    })
  })

  it.each(['number', 'name', 'email', 'preferred_language'])(
    '400 VALIDATION_ERROR for both names of %s',
    async (name) => {
      const value = { number: '+15005550001', name: 'Maya', email: 'a@example.com', preferred_language: 'en' }[name]
      const response = await create({ [`user_${name}`]: value, [`contact_${name}`]: value })
      expect(response.statusCode).toBe(400)
      expect(response.json().error).toMatchObject({ code: 'VALIDATION_ERROR' })
      expect(response.json().error.details).toEqual([expect.objectContaining({ code: 'both_names' })])
    },
  )

  it.each([
    ['+15005550001', 201],
    ['+919876543210', 201],
    ['+911234567890', 201],
    ['+1500555000', 422],
    ['+150055500011', 422],
    ['+11005550001', 422],
    ['+910234567890', 422],
    ['15005550001', 422],
    ['+1 500 555 0001', 422],
    ['+1500555000a', 422],
    ['+1٥٠٠٥٥٥٠٠٠١', 422],
    ['+1500555０００１', 422],
    ['+15005550001;ext=5', 422],
    ['+15005550001\n', 422],
    ['', 422],
    ['+442071838750', 422],
  ])('phone %j gives %i', async (number, status) => {
    const response = await create({ user_number: number })
    expect(response.statusCode).toBe(status)
    if (status === 422) {
      const code = number === '+442071838750' ? 'UNSUPPORTED_COUNTRY' : 'INVALID_PHONE_NUMBER'
      expect(response.json().error).toMatchObject({ code, details: [{ field: 'user_number' }] })
    }
  })

  it('400 wins when another field is faulty besides the phone number', async () => {
    const response = await create({ user_number: 'nonsense', user_name: 5 })
    expect(response.statusCode).toBe(400)
  })

  it.each([
    ['2026-11-15T09:00:01Z', 201],
    ['2026-11-15T09:00:00.001Z', 201],
    ['2026-11-15T14:30:01+05:30', 201],
    ['2026-11-15T14:30:01+0530', 201],
    ['2026-11-15T04:00:01-05:00', 201],
    ['2027-11-15T09:00:00Z', 201],
    ['2027-11-15T09:00:00.001Z', 400],
    ['2026-11-15T09:00:00.000Z', 400],
    ['2026-11-15T08:59:59.999Z', 400],
    ['2026-12-01T10:00:00', 400],
    ['2026-12-01', 400],
    ['2026-12-01T10:00:00+24:00', 400],
    ['2026-12-01T23:59:60Z', 400],
    ['2026-12-01T24:00:00Z', 400],
    ['2027-02-30T10:00:00Z', 400],
    ['9999-12-31T23:59:59Z', 400],
    ['tomorrow', 400],
    ['', 400],
    ['2026-12-٠1T10:00:00Z', 400],
  ])('scheduled_time %j gives %i', async (scheduled_time, status) => {
    const response = await create({ scheduled_time })
    expect(response.statusCode).toBe(status)
    if (status === 400)
      expect(response.json().error.details).toEqual([expect.objectContaining({ field: 'scheduled_time' })])
  })

  it('25 pairs of additional_info pass and 26 are refused', async () => {
    const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, i]))
    expect((await create({ additional_info: pairs(25) })).statusCode).toBe(201)
    expect((await create({ additional_info: pairs(26) })).statusCode).toBe(400)
  })

  it.each([
    [{ a: ['list'] }, 'additional_info.a'],
    [{ a: { b: 1 } }, 'additional_info.a'],
    [{ a: 'x'.repeat(1001) }, 'additional_info.a'],
    [{ ['k'.repeat(65)]: 1 }, `additional_info.${'k'.repeat(65)}`],
    [{ '': 1 }, 'additional_info'],
    [{ id: 2 ** 53 }, 'additional_info.id'],
    ['text', 'additional_info'],
    [null, 'additional_info'],
  ])('400 for additional_info %#', async (additional_info, field) => {
    const response = await create({ additional_info })
    expect(response.statusCode).toBe(400)
    expect(response.json().error.details).toEqual([expect.objectContaining({ field })])
  })

  it('reports all faulty fields at once, unknown ones by name', async () => {
    const response = await t.send(org.key, 'POST', '/v1/calls', {
      user_nmae: 'typo',
      user_name: 5,
      user_email: 'not an address',
      scheduled_time: '2026-12-01T10:00:00',
    })
    const details = response.json().error.details as { field: string; code: string }[]
    expect(Object.fromEntries(details.map(({ field, code }) => [field, code]))).toEqual({
      agent_id: 'required',
      user_number: 'required',
      user_nmae: 'unknown_field',
      user_name: 'type',
      user_email: 'format',
      scheduled_time: 'no_offset',
    })
  })

  it.each([
    ['hi', 201],
    ['en-IN', 201],
    ['zh_Hant', 201],
    ['Malayalam', 201],
    ['!!!', 400],
    ['', 400],
    ['e', 400],
    ['en-', 400],
    [' en', 400],
    ['en\n', 400],
  ])('language %j gives %i, by either name', async (language, status) => {
    for (const name of ['user_preferred_language', 'contact_preferred_language']) {
      const response = await create({ [name]: language })
      expect(response.statusCode).toBe(status)
      if (status === 400) expect(response.json().error.details).toEqual([expect.objectContaining({ field: name })])
    }
  })

  it('an empty name is a name that is not known', async () => {
    const response = await create({ user_name: '' })
    expect(response.statusCode).toBe(201)
  })

  it('never coerces a value', async () => {
    for (const body of [{ user_name: 5 }, { user_name: true }, { agent_id: 7 }, { user_number: 15005550001 }]) {
      expect((await create(body)).statusCode).toBe(400)
    }
  })
})
