import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createTestApp, type TestApp } from '../app.ts'
import { type Signed, signedOrganisation } from '../dashboard.ts'
import { createTestDatabase } from '../database.ts'

let one: TestApp
let two: TestApp
let origin: string
let org: Signed
let other: Signed

beforeAll(async () => {
  const database = await createTestDatabase()
  one = await createTestApp({ database, heartbeatMs: 200 })
  two = await createTestApp({ database, workers: {} })
  origin = await one.app.listen({ host: '127.0.0.1', port: 0 })
  org = await signedOrganisation(one, {}, ['owner', 'viewer'])
  other = await signedOrganisation(one)
})

/** What the stream has said so far, and whether it is over. */
async function listen(cookie: string) {
  const closing = new AbortController()
  onTestFinished(() => closing.abort())
  const response = await fetch(`${origin}/api/stream`, { headers: { cookie }, signal: closing.signal })
  const heard = { status: response.status, text: '', over: false }
  const follow = async () => {
    for await (const chunk of response.body ?? []) heard.text += Buffer.from(chunk as Uint8Array).toString()
    heard.over = true
  }
  follow().catch(() => {})
  await expect.poll(() => heard.text).toContain('event: listening')
  return heard
}
const topicsIn = (text: string) =>
  new Set([...text.matchAll(/^data: (\{"topics".*\})$/gm)].flatMap(([, data]) => JSON.parse(data ?? '{}').topics))
const call = () => ({ agent_id: org.agentId, contact_number: '+15005550008', contact_name: 'Maya Rao' })

describe('GET /api/stream', () => {
  it('says what to read again, whichever node it happened on, and no data of it', async () => {
    const heard = await listen(org.cookies.viewer)
    const made = await two.send(org.key, 'POST', '/v1/calls', call())
    await two.untilCall(org.key, made.json().data.call_id, (each) => each.status === 'completed')
    await expect.poll(() => topicsIn(heard.text), { timeout: 10_000 }).toEqual(new Set(['calls', 'deliveries']))
    expect(heard.text).not.toMatch(/call_|Maya|\+1500/)
  })

  it('is silent about other organisations', async () => {
    const heard = await listen(other.cookies.owner)
    const mine = await listen(org.cookies.owner)
    await one.send(org.key, 'POST', '/v1/calls', call())
    await expect.poll(() => topicsIn(mine.text).size, { timeout: 10_000 }).toBeGreaterThan(0)
    expect(topicsIn(heard.text).size).toBe(0)
  })

  it('needs a session, and ends with it', async () => {
    const refused = await fetch(`${origin}/api/stream`)
    expect([refused.status, (await refused.json()).error.code]).toEqual([401, 'UNAUTHENTICATED'])
    const passing = await signedOrganisation(one)
    const heard = await listen(passing.cookies.owner)
    await one.app.inject({ method: 'DELETE', url: '/api/session', headers: { cookie: passing.cookies.owner } })
    await expect.poll(() => heard.over, { timeout: 10_000 }).toBe(true)
  })
})
