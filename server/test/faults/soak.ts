import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { openDatabase } from '../../src/platform/db.ts'
import type { Applied } from '../processes/applied.ts'
import { apply, ask, embeddedUrl, makeDataDir, readJson, type Server, startedServer } from '../processes/process.ts'
import { answering, caFile, startReceiver } from '../receiver.ts'

const password = 'correct horse battery'
const user = { email: 'owner@soak.test', password, role: 'owner' }
const file = (urls: string[]) => ({
  organisation: { name: 'Soak', plan: 'professional', credits: 1_000_000 },
  branches: [{ name: 'Main' }],
  windows: [{ branch: 'Main', session: 'Morning', ai_slots: 5, max_slots: 10 }],
  phone_numbers: [{ number: '+15005550000', max_concurrent: 1_000 }],
  agents: [{ name: 'Asha', number: '+15005550000', branch: 'Main' }],
  api_keys: [{ name: 'all' }],
  users: [user],
  webhook_endpoints: urls.map((url) => ({ url })),
})

type Sample = { heap: number; fds: number }

async function sampleOf(url: string): Promise<Sample> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  return { heap: value('nodejs_heap_size_used_bytes'), fds: value('process_open_fds') }
}

/** The server clears its rubbish away when it is told to, so that what it keeps can be seen. */
const tidy = ['--expose-gc', '--import', 'data:text/javascript,process.on("SIGUSR2",()=>globalThis.gc())']

/** What it holds when nobody asks anything of it. */
async function atRest(server: Server): Promise<Sample> {
  await sleep(5_000)
  process.kill(server.pid, 'SIGUSR2')
  await sleep(500)
  return sampleOf(server.url)
}

/** Somebody who begins a request and goes away. */
function leaveHalfway({ port }: Server): void {
  const socket = connect(Number(port), '127.0.0.1', () => {
    socket.write('POST /v1/calls HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{"agent')
    setTimeout(() => socket.destroy(), 50)
  })
  socket.on('error', () => {})
}

/** Somebody who opens the dashboard, watches for a moment and closes it. */
async function watch({ url }: Server, cookie: string): Promise<void> {
  const gone = AbortSignal.timeout(1_500)
  try {
    const answer = await fetch(`${url}/api/stream`, { headers: { cookie }, signal: gone })
    for await (const _ of answer.body ?? []);
  } catch {}
}

async function signIn({ url }: Server): Promise<string> {
  const answer = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: user.email, password }),
  })
  expect(answer.status).toBe(200)
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

/** One round of everything that users, their programs and strangers do. */
async function round(server: Server, made: Applied, cookie: string, i: number): Promise<string[]> {
  const key = made.api_keys[0]?.key ?? ''
  const place = (body: object) => ask(`${server.url}/v1/calls`, key, { agent_id: made.agents[0]?.agent_id, ...body })
  // One number in ten is busy, one in ten books; the others differ.
  const digits = i % 10 === 0 ? '0002' : i % 10 === 5 ? '0001' : String(2_000 + (i % 1_000))
  const placed = await Promise.all([
    place({ user_number: `+1500555${digits}`, user_name: `Caller ${i}`, additional_info: { order: `A-${i}` } }),
    place({ user_number: `+1500555${String(3_000 + (i % 1_000))}` }),
  ])
  const refused = await Promise.all([
    place({ user_number: `+44${i}`, [`field_${i}`]: 'x'.repeat(200) }),
    // A key nobody has, another one each time.
    ask(`${server.url}/v1/calls?cursor=${i}`, `pk_${randomBytes(16).toString('hex')}`),
    ask(`${server.url}/v1/nowhere/${i}`, key),
  ])
  expect(placed.map((each) => each.status)).toEqual([201, 201])
  expect(refused.map((each) => each.status)).toEqual([400, 401, 404])
  if (i % 5 === 0) leaveHalfway(server)
  if (i % 10 === 0) void watch(server, cookie)
  if (i % 20 === 0) await ask(`${server.url}/v1/calls?limit=100`, key)
  return placed.map((each) => (each.body.data as { call_id: string }).call_id)
}

/** The server works for so long; then it has forgotten nothing it should know, and kept nothing it should not. */
export async function soak(seconds: number): Promise<{ calls: number; events: number }> {
  const [receiver, failing] = [await startReceiver(), await startReceiver()]
  failing.behave(answering(503))
  const dataDir = await makeDataDir()
  const env = {
    PARLEY_DATA_DIR: dataDir,
    PARLEY_DEMO: 'false',
    PARLEY_SIMULATOR_SPEED: '200',
    PARLEY_CALL_DELAY: '0s',
    PARLEY_RATE_LIMIT_PER_MINUTE: '1000000',
    PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true',
    PARLEY_WEBHOOK_CA_FILE: await caFile(),
    LOG_LEVEL: 'error',
  }
  const server = await startedServer(env, [...tidy, 'server/dist/parley.mjs', 'start'])
  const made = readJson<Applied>(await apply(file([receiver.url, failing.url]), env))
  const cookie = await signIn(server)

  const accepted: string[] = []
  let i = 0
  const work = async (share: number) => {
    const until = performance.now() + 1_000 * seconds * share
    for (; performance.now() < until; i += 1) {
      accepted.push(...(await round(server, made, cookie, i)))
      await sleep(50)
    }
    return atRest(server)
  }
  // By then everything has been used and every cache is warm.
  const [early, late] = [await work(1 / 3), await work(2 / 3)]

  const db = openDatabase({ url: await embeddedUrl(dataDir), applicationName: 'soak' })
  try {
    const [good] = made.webhook_endpoints.map((each) => each.endpoint_id)
    const open = () =>
      db.query(
        `select 'call' as what, status, count(*)::int from calls
         where status not in ('completed', 'failed') or outcome_due_at is not null group by 2
         union all
         select 'delivery', status, count(*)::int from webhook_deliveries
         where endpoint_id = $1 and status <> 'succeeded' group by 2
         union all
         select 'hold', null, count(*)::int from day_slots where holds <> '{}' having count(*) > 0`,
        [good],
      )
    await expect.poll(open, { timeout: 60_000, interval: 300 }).toEqual([])
    // Those from before the endpoints were made are nobody's.
    const events = await db.query<{ event_id: string; call_id: string }>(
      'select event_id, call_id from webhook_deliveries where endpoint_id = $1',
      [good],
    )
    const arrived = receiver.received.map(({ event }) => event.event_id)
    // Nobody died: every event came once, and every call that was accepted has one.
    expect(arrived.toSorted()).toEqual(events.map((each) => each.event_id).toSorted())
    const reported = new Set(events.map((each) => each.call_id))
    expect(accepted.filter((callId) => !reported.has(callId))).toEqual([])

    expect(late.heap, 'kept memory').toBeLessThan(1.1 * early.heap)
    expect(late.fds, 'open files').toBeLessThanOrEqual(early.fds + 5)
    expect(server.stderr()).toBe('')
    await server.stop()
    return { calls: accepted.length, events: events.length }
  } finally {
    await db.close()
  }
}
