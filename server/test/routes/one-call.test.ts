import { callStatuses } from '@parley/contract/calls'
import { describe, expect, it } from 'vitest'
import { createTestApp } from '../app.ts'

const t = await createTestApp()
const org = await t.organisation()
const other = await t.organisation()
const create = async () => {
  const body = { agent_id: org.agentId, user_number: '+15005550001' }
  return (await t.send(org.key, 'POST', '/v1/calls', body)).json().data.call_id as string
}
const cancel = (callId: string, key = org.key, body?: unknown) =>
  t.send(key, 'POST', `/v1/calls/${callId}/cancel`, body)
const setStatus = (callId: string, status: string) =>
  t.db.query('update calls set status = $2 where call_id = $1', [callId, status])

describe('§4.2 GET /v1/calls/{call_id}', () => {
  it.each(['call_00000000000000000000000000000000', 'nonsense', '%00', 'x'.repeat(300)])('404 for %s', async (id) => {
    const response = await t.send(org.key, 'GET', `/v1/calls/${id}`)
    expect(response.statusCode).toBe(404)
    expect(response.json().error.code).toBe('NOT_FOUND')
  })

  it("404 for another organisation's call", async () => {
    expect((await t.send(other.key, 'GET', `/v1/calls/${await create()}`)).statusCode).toBe(404)
  })

  it('shows every one of the nine states', async () => {
    const callId = await create()
    for (const status of callStatuses) {
      await setStatus(callId, status)
      expect((await t.send(org.key, 'GET', `/v1/calls/${callId}`)).json().data.status).toBe(status)
    }
  })
})

describe('§4.3 POST /v1/calls/{call_id}/cancel', () => {
  it.each(['scheduled', 'queued'])('200 with cancelled_at while %s', async (status) => {
    const callId = await create()
    await setStatus(callId, status)
    const response = await cancel(callId)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({
      data: { call_id: callId, status: 'cancelled', cancelled_at: expect.stringMatching(/^\d{4}-.+\.\d{3}Z$/) },
    })
    const call = (await t.send(org.key, 'GET', `/v1/calls/${callId}`)).json().data
    expect(call).toMatchObject({ status: 'cancelled', cancelled_at: response.json().data.cancelled_at })
  })

  it('200 with the same cancelled_at when repeated', async () => {
    const callId = await create()
    const first = await cancel(callId)
    const again = await cancel(callId)
    expect(again.statusCode).toBe(200)
    expect(again.json()).toEqual(first.json())
  })

  it.each(['initiated', 'ringing', 'in_progress', 'completed', 'failed', 'disallowed'])(
    '409 once %s',
    async (status) => {
      const callId = await create()
      await setStatus(callId, status)
      const response = await cancel(callId)
      expect(response.statusCode).toBe(409)
      expect(response.json().error.code).toBe('CALL_NOT_CANCELLABLE')
      expect((await t.send(org.key, 'GET', `/v1/calls/${callId}`)).json().data.status).toBe(status)
    },
  )

  it("404 for an unknown call and for another organisation's, which stays as it was", async () => {
    expect((await cancel('call_00000000000000000000000000000000')).statusCode).toBe(404)
    const callId = await create()
    expect((await cancel(callId, other.key)).statusCode).toBe(404)
    expect((await t.send(org.key, 'GET', `/v1/calls/${callId}`)).json().data.status).toBe('scheduled')
  })

  it('accepts an empty body with the JSON content type, and the empty object', async () => {
    expect((await cancel(await create(), org.key, '')).statusCode).toBe(200)
    expect((await cancel(await create(), org.key, {})).statusCode).toBe(200)
  })

  it.each(['{"reason":"x"}', '[1]', '"x"', '7', 'null'])('400 for the body %s, cancelling nothing', async (body) => {
    const callId = await create()
    expect((await cancel(callId, org.key, body)).statusCode).toBe(400)
    expect((await t.send(org.key, 'GET', `/v1/calls/${callId}`)).json().data.status).toBe('scheduled')
  })

  it('twenty at once: one cancels, all answer the same', async () => {
    const callId = await create()
    const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(callId)))
    expect(new Set(answers.map((each) => each.body)).size).toBe(1)
    expect(answers[0]?.statusCode).toBe(200)
  })
})
