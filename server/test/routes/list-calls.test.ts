import { expect, it } from 'vitest'
import { createTestApp, testClock } from '../app.ts'

const clock = testClock(new Date('2026-11-15T09:00:00.000Z'))
const t = await createTestApp({ clock })
const org = await t.organisation({
  agents: [
    { name: 'Asha', number: '+15005550000' },
    { name: 'Ravi', number: '+15005550000' },
  ],
})
const [asha, ravi] = org.agents.map((each) => each?.agent_id)
const ids: string[] = []
for (let i = 0; i < 45; i += 1) {
  // Five calls share each instant, so the order inside one instant matters too.
  if (i % 5 === 0) clock.advance(60_000)
  const body = { agent_id: i % 3 === 0 ? ravi : asha, user_number: `+1500555${String(1000 + (i % 10))}` }
  const response = await t.send(org.key, 'POST', '/v1/calls', body)
  ids.push(response.json().data.call_id)
}
const list = async (query: string, key = org.key) => {
  const response = await t.send(key, 'GET', `/v1/calls${query}`)
  return { status: response.statusCode, ...response.json(), link: response.headers.link as string | undefined }
}
type Listed = { call_id: string; status: string; agent_id: string; contact_number: string; created_at: string }
const idsOf = (page: { data: Listed[] }) => page.data.map((call) => call.call_id)

it('20 calls by default, newest first, with has_more, next_cursor and a Link header', async () => {
  const page = await list('')
  expect(page.data).toHaveLength(20)
  expect(new Set(idsOf(page)).size).toBe(20)
  const times = page.data.map((call: Listed) => call.created_at)
  expect(times).toEqual(times.toSorted().toReversed())
  expect(page).toMatchObject({ has_more: true, next_cursor: expect.any(String) })
  expect(page.link).toMatch(/^<http:\/\/127\.0\.0\.1:3000\/v1\/calls\?cursor=[\w-]+>; rel="next"$/)
})

it.each(['desc', 'asc'])('following the cursor in %s order visits every call once', async (order) => {
  const seen: string[] = []
  let query = `?limit=7&order=${order}`
  for (let page = await list(query); ; page = await list(query)) {
    seen.push(...idsOf(page))
    if (!page.has_more) {
      expect(page).toMatchObject({ next_cursor: null, link: undefined })
      break
    }
    query = `?limit=7&order=${order}&cursor=${page.next_cursor}`
  }
  expect(seen.toSorted()).toEqual(ids.toSorted())
  expect(seen).toHaveLength(45)
})

it('a cursor stays good when the call it came from is gone, and new calls do not shift it', async () => {
  const other = await t.organisation()
  const make = () => t.send(other.key, 'POST', '/v1/calls', { agent_id: other.agentId, user_number: '+15005550001' })
  for (let i = 0; i < 4; i += 1) {
    clock.advance(1)
    await make()
  }
  const first = await list('?limit=2', other.key)
  await t.db.query('delete from calls where call_id = $1', [idsOf(first)[1]])
  clock.advance(1)
  await make()
  const second = await list(`?limit=2&cursor=${first.next_cursor}`, other.key)
  expect(second.data).toHaveLength(2)
  expect(second.has_more).toBe(false)
  expect(idsOf(second).some((id) => idsOf(first).includes(id))).toBe(false)
})

it('filters by status, agent, number and time of creation', async () => {
  await t.send(org.key, 'POST', `/v1/calls/${ids[0]}/cancel`)
  expect(idsOf(await list('?status=cancelled'))).toEqual([ids[0]])
  expect((await list('?status=scheduled,cancelled&limit=100')).data).toHaveLength(45)
  expect((await list(`?agent_id=${ravi}&limit=100`)).data).toHaveLength(15)
  const byNumber = await list('?contact_number=%2B15005551003&limit=100')
  expect(new Set(byNumber.data.map((call: Listed) => call.contact_number))).toEqual(new Set(['+15005551003']))
  const between = '?created_from=2026-11-15T09:02:00Z&created_to=2026-11-15T14:34:00%2B05:30&limit=100'
  expect((await list(between)).data).toHaveLength(10)
})

it("only the organisation's own calls", async () => {
  const stranger = await t.organisation()
  expect(await list('', stranger.key)).toMatchObject({ data: [], has_more: false, next_cursor: null })
  expect((await list(`?agent_id=${asha}`, stranger.key)).status).toBe(400)
})

it.each([
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['limit=ten', 'limit'],
  ['limit=1.5', 'limit'],
  ['limit=', 'limit'],
  ['limit=1&limit=2', 'limit'],
  ['cursor=nonsense', 'cursor'],
  ['cursor=call_00000000000000000000000000000000', 'cursor'],
  ['status=done', 'status'],
  ['status=', 'status'],
  ['order=up', 'order'],
  ['contact_number=+15005550001', 'contact_number'],
  ['created_from=2026-11-15', 'created_from'],
  ['created_to=2026-11-15T10:00:00', 'created_to'],
  ['agent_id=agt_00000000000000000000000000000000', 'agent_id'],
  ['colour=red', 'colour'],
])('400 for ?%s, naming %s', async (query, field) => {
  const answer = await list(`?${query}`)
  expect(answer.status).toBe(400)
  expect(answer.error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field }] })
})

it('400 for times in the wrong order; the same time twice is an empty stretch', async () => {
  const [early, late] = ['2026-11-15T09:00:00Z', '2026-11-15T15:00:00%2B05:30']
  const refused = await list(`?created_from=${late}&created_to=${early}`)
  expect(refused).toMatchObject({ status: 400, error: { details: [{ field: 'created_to', code: 'order' }] } })
  expect(await list(`?created_from=${early}&created_to=${early}`)).toMatchObject({ status: 200, data: [] })
})
