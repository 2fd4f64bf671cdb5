import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp, testClock } from '../app.ts'
import { type Signed, signedOrganisation, webhookSettings } from '../dashboard.ts'
import { startReceiver } from '../receiver.ts'
import { type Ask, askAs } from '../session-request.ts'

const clock = testClock()
let t: TestApp
let org: Signed
const ask = {} as Record<'owner' | 'staff' | 'viewer', Ask>

beforeAll(async () => {
  t = await createTestApp({
    workers: {},
    clock,
    settings: { ...(await webhookSettings()), PARLEY_RATE_LIMIT_PER_MINUTE: '6000' },
  })
  org = await signedOrganisation(
    t,
    {
      organisation: { name: 'Acme', credits: 100, plan: 'professional', public_share: { enabled: true, expiry: null } },
    },
    ['owner', 'staff', 'viewer'],
  )
  for (const role of ['owner', 'staff', 'viewer'] as const) ask[role] = askAs(t, org.cookies[role])
})

const talk = async () => {
  const body = { agent_id: org.agentId, user_number: '+15005550008', user_name: 'Maya' }
  const { call_id } = (await t.send(org.key, 'POST', '/v1/calls', body)).json().data
  await t.untilCall(org.key, call_id, (call) => call.call_analytics !== null)
  return call_id as string
}
const actions = async (resourceId: string) => {
  const rows = await t.db.query<{ actor: string; action: string }>(
    'select actor, action from audit_log where resource_id = $1 order by at, audit_id',
    [resourceId],
  )
  for (const { actor } of rows) expect(actor).toMatch(/^usr_/)
  return rows.map((row) => row.action)
}
const opens = async (url: string) => {
  const { pathname, search } = new URL(url)
  return (await t.app.inject({ url: `${pathname}${search}` })).statusCode
}

describe('sharing a call', () => {
  it('a link is made with a life of its own, copied, replaced and revoked, and every step is in the audit log', async () => {
    const id = await talk()
    const share = `/api/calls/${id}/share`
    expect((await ask.staff('GET', share)).json().data).toEqual({
      enabled: true,
      state: 'none',
      url: null,
      expires_at: null,
    })
    const first = (await ask.staff('POST', share, { expiry: 'day' })).json().data
    expect(first).toMatchObject({
      state: 'open',
      expires_at: new Date(clock.now().getTime() + 86_400_000).toISOString(),
    })
    expect(await opens(first.url)).toBe(200)

    const second = (await ask.owner('POST', share, { expiry: 'never' })).json().data
    expect(second.expires_at).toBeNull()
    expect([await opens(first.url), await opens(second.url)]).toEqual([404, 200])

    const closed = (await ask.staff('DELETE', share)).json().data
    expect(closed).toMatchObject({ state: 'revoked', url: null })
    expect(await opens(second.url)).toBe(404)
    expect((await ask.owner('POST', share, { expiry: 'hour' })).json().data.state).toBe('open')
    expect(await actions(id)).toEqual(['share.renewed', 'share.renewed', 'share.revoked', 'share.renewed'])
  })

  it('viewers neither share nor see the link', async () => {
    const id = await talk()
    await ask.owner('POST', `/api/calls/${id}/share`, { expiry: 'day' })
    expect((await ask.viewer('GET', `/api/calls/${id}/share`)).json().data).toMatchObject({ state: 'open', url: null })
    expect((await ask.viewer('POST', `/api/calls/${id}/share`, { expiry: 'day' })).statusCode).toBe(403)
    expect((await ask.viewer('DELETE', `/api/calls/${id}/share`)).statusCode).toBe(403)
  })

  it('403 while the organisation does not share, 400 for another expiry, 404 for a call of others', async () => {
    const quiet = await signedOrganisation(t, {}, ['owner'])
    const theirs = askAs(t, quiet.cookies.owner)
    const body = { agent_id: quiet.agentId, user_number: '+15005550008' }
    const { call_id } = (await t.send(quiet.key, 'POST', '/v1/calls', body)).json().data
    const refused = await theirs('POST', `/api/calls/${call_id}/share`, { expiry: 'day' })
    expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'FORBIDDEN'])
    expect((await ask.owner('POST', `/api/calls/${call_id}/share`, { expiry: 'day' })).statusCode).toBe(404)
    expect((await ask.owner('DELETE', `/api/calls/${call_id}/share`)).statusCode).toBe(404)
    for (const wrong of [{ expiry: 'year' }, {}, { expiry: 'day', more: 1 }]) {
      expect((await ask.owner('POST', `/api/calls/${await talk()}/share`, wrong)).statusCode).toBe(400)
    }
  })
})

describe('erasing a call', () => {
  it('answers with a receipt of what is gone, without a word about the person', async () => {
    const receiver = await startReceiver()
    const endpoint = await org.as.owner('POST', '/endpoints', { url: receiver.url, events: ['call.completed'] })
    const id = await talk()
    const { call_transcript } = (await ask.owner('GET', `/api/v1/calls/${id}`)).json().data
    await ask.owner('POST', `/api/calls/${id}/share`, { expiry: 'day' })
    const news = (await ask.viewer('GET', `/api/calls/${id}/deliveries`)).json().data
    expect(news.events.map((each: { event_type: string }) => each.event_type)).toEqual([
      'call.initiated',
      'call.completed',
    ])
    expect(news.deliveries).toMatchObject([{ event_type: 'call.completed', endpoint_url: receiver.url }])

    const answer = await ask.owner('POST', `/api/calls/${id}/erase`)
    expect(answer.json()).toEqual({
      success: true,
      data: {
        call_id: id,
        erased_at: clock.now().toISOString(),
        transcript_lines: call_transcript.length,
        events: 2,
        deliveries: 1,
        share_link: true,
        appointments_kept: 0,
      },
    })
    expect((await ask.owner('GET', `/api/calls/${id}`)).statusCode).toBe(404)
    expect((await ask.owner('POST', `/api/calls/${id}/erase`)).statusCode).toBe(404)
    expect(await actions(id)).toEqual(['share.renewed', 'call.erased'])
    await org.as.owner('DELETE', `/endpoints/${endpoint.json().data.endpoint_id}`)
  })

  it('is for owners and admins, and for pages of our own', async () => {
    const id = await talk()
    for (const role of ['staff', 'viewer'] as const) {
      expect((await ask[role]('POST', `/api/calls/${id}/erase`)).statusCode).toBe(403)
    }
    const foreign = { origin: 'https://evil.example' }
    expect((await ask.owner('POST', `/api/calls/${id}/erase`, undefined, foreign)).statusCode).toBe(403)
    expect((await ask.owner('POST', `/api/calls/${id}/share`, { expiry: 'day' }, foreign)).statusCode).toBe(403)
    const other = askAs(t, (await signedOrganisation(t)).cookies.owner)
    expect((await other('POST', `/api/calls/${id}/erase`)).statusCode).toBe(404)
    expect((await ask.owner('GET', `/api/calls/${id}`)).statusCode).toBe(200)
  })
})

// Last: the application's clock runs ahead of the database's from here on.
it('an expired link says so and can be replaced', async () => {
  const id = await talk()
  const { url } = (await ask.owner('POST', `/api/calls/${id}/share`, { expiry: 'hour' })).json().data
  clock.advance(3_600_000)
  expect(await opens(url)).toBe(410)
  expect((await ask.owner('GET', `/api/calls/${id}/share`)).json().data).toMatchObject({
    state: 'expired',
    url: null,
  })
  expect((await ask.owner('POST', `/api/calls/${id}/share`, { expiry: 'hour' })).json().data.state).toBe('open')
})
