import { createHmac, randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/platform/db.ts'
import { createTestDatabase } from '../database.ts'
import { apply, expectRefusal, parley, readJson, type Server, type Settings, startedServer } from './process.ts'

type Applied = {
  organisation: { organisation_id: string; inbound: { token: string; signing_secret: string } }
  agents: { agent_id: string }[]
}
type Hook = { organisationId: string; token: string; secret: string; agentId: string }
type Answer = { status: number; headers: Headers; body: { data?: { call_id: string }; error?: { code: string } } }

const quota = 40
let db: Database
let settings: Settings
let servers: [Server, Server]

beforeAll(async () => {
  const database = await createTestDatabase()
  db = database.db
  settings = {
    DATABASE_URL: database.url,
    PARLEY_SECRET_KEY: 'a secret key of the tests',
    PARLEY_HOOK_QUOTA_BASE: String(quota),
    PARLEY_CALL_DELAY: '1h',
  }
  servers = [await startedServer(settings), await startedServer(settings)]
}, 120_000)

async function makeHook(organisation: object = {}): Promise<Hook> {
  const made = readJson<Applied>(
    await apply(
      {
        organisation: { name: 'Acme', credits: 1_000, ...organisation },
        phone_numbers: [{ number: '+15005550000' }],
        agents: [{ name: 'Asha', number: '+15005550000' }],
      },
      settings,
    ),
  )
  const { organisation_id: organisationId, inbound } = made.organisation
  return {
    organisationId,
    token: inbound.token,
    secret: inbound.signing_secret,
    agentId: String(made.agents[0]?.agent_id),
  }
}

const bodyOf = ({ agentId }: Hook, data: object = {}) =>
  JSON.stringify({ action: 'call.create', data: { agent_id: agentId, contact_number: '+15005550001', ...data } })

async function post({ url }: Server, token: string, body: string, headers: object = {}): Promise<Answer> {
  const response = await fetch(`${url}/v1/hooks/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] }
}

function sign({ secret }: Hook, body: string) {
  const timestamp = Math.floor(Date.now() / 1_000)
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  return { 'x-inbound-timestamp': String(timestamp), 'x-inbound-signature': signature }
}

/** The same or different requests, at once, by turns to both processes. */
const burst = (count: number, send: (server: Server, at: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, at) => send(servers[at % 2 === 0 ? 0 : 1], at)))
const tally = (answers: Answer[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
const countCalls = async ({ organisationId }: Hook) =>
  (await db.query('select 1 from calls where organisation_id = $1', [organisationId])).length
const restart = async (at: 0 | 1) => {
  await servers[at].stop()
  servers[at] = await startedServer(settings)
}

describe('two servers on one database', () => {
  it('share the daily quota to the last request, and a restart gives nothing back', async () => {
    const hook = await makeHook()
    const answers = await burst(quota + 25, (server) => post(server, hook.token, bodyOf(hook)))
    expect(tally(answers)).toEqual({ 201: quota, 429: 25 })
    expect(await countCalls(hook)).toBe(quota)
    await restart(0)
    for (const server of servers) {
      const refused = await post(server, hook.token, bodyOf(hook))
      expect([refused.status, refused.body.error?.code]).toEqual([429, 'DAILY_QUOTA_EXCEEDED'])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })

  it('forget an old token at once, both of them', async () => {
    const hook = await makeHook()
    for (const server of servers) expect((await post(server, hook.token, bodyOf(hook))).status).toBe(201)
    const made = readJson<{ inbound: { token: string } }>(
      await parley(['hook', 'regenerate', '--organisation', hook.organisationId], settings),
    )
    for (const server of servers) {
      const old = await post(server, hook.token, bodyOf(hook))
      expect([old.status, old.body.error?.code]).toEqual([401, 'INVALID_TOKEN'])
      expect((await post(server, made.inbound.token, bodyOf(hook))).status).toBe(201)
    }
  })

  it('share the memory of signed requests, and keep it over a restart', async () => {
    const hook = await makeHook({ inbound: { signing: true } })
    const body = bodyOf(hook)
    const headers = sign(hook, body)
    expect(tally(await burst(20, (server) => post(server, hook.token, body, headers)))).toEqual({ 201: 1, 401: 19 })
    await restart(1)
    for (const server of servers) {
      const again = await post(server, hook.token, body, headers)
      expect([again.status, again.body.error?.code]).toEqual([401, 'INVALID_SIGNATURE'])
    }
    expect(await countCalls(hook)).toBe(1)
  })

  it('share idempotency keys: a signed request with a key, twenty times, is one call and one answer', async () => {
    const hook = await makeHook({ inbound: { signing: true } })
    const body = bodyOf(hook, { idempotency_key: randomUUID() })
    const headers = sign(hook, body)
    const answers = await burst(20, (server) => post(server, hook.token, body, headers))
    expect(tally(answers)).toEqual({ 201: 20 })
    expect(new Set(answers.map((each) => each.body.data?.call_id)).size).toBe(1)
    expect(await countCalls(hook)).toBe(1)
  })
})

describe('parley hook, beside them', () => {
  type Printed = { inbound: { signing: boolean; signing_secret?: string } }
  const hookCommand = (hook: Hook, ...words: string[]) =>
    parley(['hook', ...words, '--organisation', hook.organisationId], settings)

  it('signing on|off is obeyed at once, and a secret is printed only when it is new', async () => {
    const hook = await makeHook()
    const status = async (secret: string) => {
      const body = bodyOf(hook, { additional_info: { n: randomUUID() } })
      return (await burst(2, (server) => post(server, hook.token, body, sign({ ...hook, secret }, body)))).map(
        (each) => each.status,
      )
    }
    expect(readJson<Printed>(await hookCommand(hook, 'signing', 'on')).inbound).toEqual({ signing: true })
    expect((await status('wrong')).toSorted()).toEqual([401, 401])
    expect((await status(hook.secret)).toSorted()).toEqual([201, 401])
    const { inbound } = readJson<Printed>(await hookCommand(hook, 'signing', 'on', '--rotate-secret'))
    expect(inbound).toEqual({ signing: true, signing_secret: expect.stringMatching(/^ins_/) })
    expect(await status(hook.secret)).toEqual([401, 401])
    expect((await status(String(inbound.signing_secret))).toSorted()).toEqual([201, 401])
    expect(readJson<Printed>(await hookCommand(hook, 'signing', 'off')).inbound).toEqual({ signing: false })
    expect(await status('wrong')).toEqual([201, 201])
  })

  it('requests lists what came in lately, newest first, with the quota', async () => {
    const hook = await makeHook()
    await post(servers[0], hook.token, bodyOf(hook))
    await post(servers[1], hook.token, bodyOf(hook, { contact_number: '+44' }))
    const printed = readJson<object>(await hookCommand(hook, 'requests', '--limit', '5'))
    expect(printed).toMatchObject({
      quota: { limit: quota, used: 2, remaining: quota - 2 },
      requests: [
        { action: 'call.create', status: 400, code: 'INVALID_PHONE_NUMBER', call_id: null },
        { action: 'call.create', status: 201, code: null, call_id: expect.stringMatching(/^call_/) },
      ],
    })
    expect(JSON.stringify(printed)).not.toContain(hook.token)
  })

  it('says what it cannot do', async () => {
    const hook = await makeHook()
    expectRefusal(await hookCommand(hook), /hook regenerate/, /hook signing/, /hook requests/)
    expectRefusal(await hookCommand(hook, 'signing', 'maybe'), /on or off/)
    expectRefusal(await hookCommand(hook, 'requests', '--limit', '0'), /1 to 100/)
  })
})
