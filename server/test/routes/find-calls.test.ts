import { beforeAll, describe, expect, it } from 'vitest'
import { countCalls, findCalls } from '../../src/calls/find-calls.ts'
import { createTestApp, type TestApp } from '../app.ts'
import { type Signed, signedOrganisation } from '../dashboard.ts'
import { type Ask, askAs } from '../session-request.ts'

let t: TestApp
let org: Signed
let ask: Ask
const later = new Date(Date.now() + 86_400_000).toISOString()

const call = async (body: object) =>
  (await t.send(org.key, 'POST', '/v1/calls', { agent_id: org.agentId, ...body })).json().data.call_id as string
const find = async (query: string) => {
  const answer = await ask('GET', `/api/calls?${query}`)
  return { status: answer.statusCode, ...answer.json() }
}
const idsOf = (page: { data: { call_id: string }[] }) => page.data.map((each) => each.call_id)

let booked: string
let busy: string
let maya: string
let waiting: string

beforeAll(async () => {
  t = await createTestApp({ workers: {} })
  org = await signedOrganisation(
    t,
    {
      branches: [{ name: 'Main' }],
      windows: [{ branch: 'Main', session: 'Morning', ai_slots: 50 }],
      agents: [
        { name: 'Asha', number: '+15005550000', branch: 'Main', greeting: 'Hello {{user_name}}, about {{ topic }}.' },
        { name: 'Ravi', number: '+15005550000', prompt: 'Ask for {{order_id}}.' },
        { name: 'Inga', type: 'inbound' },
      ],
    },
    ['owner', 'viewer'],
  )
  ask = askAs(t, org.cookies.owner)
  booked = await call({ user_number: '+15005550001', additional_info: { topic: 'pelicans' } })
  busy = await call({ user_number: '+15005550002', user_name: 'Busy % Bee' })
  maya = await call({ user_number: '+919876543210', user_name: 'Maya Rao', agent_id: org.agents[1]?.agent_id })
  waiting = await call({ user_number: '+15005550001', scheduled_time: later })
  for (const id of [booked, busy, maya]) {
    await t.untilCall(org.key, id, ({ status, call_analytics }) => status === 'failed' || call_analytics !== null)
  }
})

describe('finding calls', () => {
  it('lists lines newest first, with outcome, and says where each comes from', async () => {
    const page = await find('')
    expect(idsOf(page)).toEqual([waiting, maya, busy, booked])
    expect(page.data[3]).toMatchObject({ status: 'completed', disposition: 'appointment_booked', agent_name: 'Asha' })
    expect(page.data[2]).toMatchObject({ status: 'failed', error_code: 'busy', disposition: null, excerpt: null })
    expect(page).toMatchObject({ success: true, has_more: false, next_cursor: null })
  })

  it.each([
    ['status=scheduled,failed', () => [waiting, busy]],
    ['disposition=appointment_booked', () => [booked]],
    ['direction=inbound', () => []],
    ['q=maya', () => [maya]],
    ['q=%2B91 98765-43210', () => [maya]],
    ['q=98765', () => [maya]],
    ['q=%2B15005550001', () => [waiting, booked]],
    ['q=PELICANS', () => [booked]],
    // Signs that mean something to the database mean themselves.
    ['q=%25 b', () => [busy]],
    ['q=_', () => []],
    ['q=%5C', () => []],
    ['q=%27%3B drop table calls', () => []],
  ])('%s', async (query, expected) => {
    expect(idsOf(await find(query))).toEqual(expected())
  })

  it('finds by agent, by time and by a whole id, and shows the sentence that held the words', async () => {
    expect(idsOf(await find(`agent_id=${org.agents[1]?.agent_id}`))).toEqual([maya])
    expect(idsOf(await find(`q=${busy}`))).toEqual([busy])
    const { created_at } = (await find(`q=${maya}`)).data[0]
    expect(idsOf(await find(`created_from=${created_at}&created_to=${later}`))).toEqual([waiting, maya])
    expect((await find('q=pelicans')).data[0].excerpt).toContain('about pelicans')
  })

  it('pages by cursor, each call once', async () => {
    const first = await find('limit=3')
    expect(first.has_more).toBe(true)
    expect([...idsOf(first), ...idsOf(await find(`limit=3&cursor=${first.next_cursor}`))]).toEqual([
      waiting,
      maya,
      busy,
      booked,
    ])
  })

  it('looks at so many calls at once and goes on from there: nothing is missed, no request reads everything', async () => {
    const seen: string[] = []
    let cursor: string | null = null
    let pages = 0
    do {
      const page = await findCalls(t.db, org.organisationId, { q: 'pelicans', ...(cursor ? { cursor } : {}) }, 2)
      seen.push(...page.items.map((each) => each.call_id))
      cursor = page.nextCursor
      pages += 1
    } while (cursor)
    expect(seen).toEqual([booked])
    expect(pages).toBe(3)
    expect(await countCalls(t.db, org.organisationId, {}, 2)).toEqual({
      by_status: { scheduled: 1, completed: 1 },
      newest_only: 2,
    })
  })

  it('counts per state whatever state is asked for, within the other filters', async () => {
    const counts = async (query: string) => (await ask('GET', `/api/calls/counts?${query}`)).json().data
    expect(await counts('')).toEqual({ by_status: { scheduled: 1, completed: 2, failed: 1 }, newest_only: null })
    expect((await counts('status=failed&q=maya')).by_status).toEqual({ completed: 1 })
  })

  it.each(['status=gone', 'limit=0', 'cursor=x', 'created_from=yesterday', 'agent_id=agt_1', 'direction=up', 'foo=1'])(
    '400 for %s, on the list and where it applies on the counts',
    async (query) => {
      expect((await find(query)).status).toBe(400)
    },
  )

  it('400 for a NUL, 200 for any other text', async () => {
    expect((await find('q=%00')).status).toBe(400)
    expect((await find(`q=${encodeURIComponent('हाँ 😀 "\'`')}`)).status).toBe(200)
  })

  it("another organisation's calls are not there", async () => {
    const other = await signedOrganisation(t)
    const theirs = askAs(t, other.cookies.owner)
    expect((await theirs('GET', `/api/calls?q=${booked}`)).json().data).toEqual([])
    for (const path of ['', '/deliveries', '/recording', '/peaks', '/share', '/requests']) {
      const answer = await theirs('GET', `/api/calls/${booked}${path}`)
      expect([answer.statusCode, answer.json().error.code], path).toEqual([404, 'NOT_FOUND'])
    }
  })
})

describe('one call', () => {
  it('comes with its times, its appointment and the way it was made', async () => {
    const { data } = (await ask('GET', `/api/calls/${booked}`)).json()
    expect(data).toMatchObject({ source: 'api', attempt: 1, agent_number: '+15005550000', related: [] })
    const times = [data.call.created_at, data.queued_at, data.call.call_triggered_at, data.ringing_at, data.answered_at]
    expect(times).toEqual(times.toSorted())
    expect(data.appointments).toMatchObject([{ booked_by: 'ai', status: 'confirmed' }])
    expect(data.call).toEqual({
      ...(await ask('GET', `/api/v1/calls/${booked}`)).json().data,
      call_recording: expect.any(String),
    })
  })

  it('a call placed here says so', async () => {
    const made = await ask('POST', '/api/v1/calls', {
      agent_id: org.agentId,
      user_number: '+15005550007',
      user_name: 'Kim',
    })
    const { call_id } = made.json().data
    const first = await t.untilCall(org.key, call_id, (each) => each.scheduled_call_id !== null)
    const { data } = (await ask('GET', `/api/calls/${call_id}`)).json()
    expect(data.source).toBe('dashboard')
    expect(data.related).toMatchObject([
      { call_id: first.scheduled_call_id, relation: 'after', source: 'callback', status: 'scheduled' },
    ])
    const after = (await ask('GET', `/api/calls/${first.scheduled_call_id}`)).json().data
    expect(after.related).toMatchObject([{ call_id, relation: 'before' }])
  })

  it('its recording plays in parts, and has peaks', async () => {
    const part = await ask('GET', `/api/calls/${booked}/recording`, undefined, { range: 'bytes=0-3' })
    expect([part.statusCode, part.body]).toEqual([206, 'RIFF'])
    const { data } = (await ask('GET', `/api/calls/${booked}/peaks`)).json()
    expect(data.agent).toHaveLength(240)
    expect((await ask('GET', `/api/calls/${waiting}/recording`)).statusCode).toBe(404)
  })

  it('names the request of the hook that made it', async () => {
    const hook = await t.app.inject({
      method: 'POST',
      url: new URL(org.organisation.inbound?.url ?? '').pathname,
      payload: { action: 'call.create', data: { agent_id: org.agentId, contact_number: '+15005550008' } },
    })
    const { data } = (await ask('GET', `/api/calls/${hook.json().data.call_id}/requests`)).json()
    expect(data).toMatchObject([{ request_id: hook.headers['x-request-id'], action: 'call.create', status: 201 }])
    expect((await ask('GET', `/api/calls/${booked}/requests`)).json().data).toEqual([])
  })

  it('viewers read all of it; nobody else does', async () => {
    const viewer = askAs(t, org.cookies.viewer)
    const nobody = askAs(t, '')
    const paths = ['', '/counts', `/${booked}`, `/${booked}/deliveries`, `/${booked}/recording`, `/${booked}/peaks`]
    for (const path of [...paths, `/${booked}/share`, `/${booked}/requests`]) {
      expect((await viewer('GET', `/api/calls${path}`)).statusCode, path).toBe(200)
      expect((await nobody('GET', `/api/calls${path}`, undefined, { 'x-api-key': org.key })).statusCode).toBe(401)
    }
  })
})
