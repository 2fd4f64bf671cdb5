import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readApplyFile } from '../../src/cli/apply-faults.ts'
import { createTestApp } from '../app.ts'
import { createTestDatabase } from '../database.ts'
import {
  apply,
  applyText,
  ask,
  expectRefusal,
  makeDataDir,
  makeFolder,
  onlySettings,
  parley,
  readJson,
  run,
  startedServer,
} from './process.ts'
import { postgresServersBelow } from './process-tree.ts'

type Inbound = { url: string | null; token: string | null; signing_secret: string | null }
type Applied = {
  organisation: { organisation_id: string; inbound: Inbound }
  users: { email: string; password?: string }[]
  agents: { name: string; agent_id: string }[]
  branches: { name: string; branch_id: string }[]
  services: { name: string; appointment_type_id: string }[]
  api_keys: { name: string; key_id: string; key: string }[]
  webhook_endpoints: { url: string; endpoint_id: string; secret: string }[]
}

// The example of decisions 9, and a second item where the order shows.
const example = {
  organisation: {
    name: 'Acme Clinic',
    plan: 'professional',
    credits: 1_000,
    timezone: 'Asia/Kolkata',
    public_share: { enabled: true, expiry: null },
    inbound: { signing: false },
  },
  users: [
    { email: 'owner@acme.test', password: 'correct horse', role: 'owner' },
    { email: 'a.staff@acme.test', password: 'battery staple', role: 'staff' },
  ],
  phone_numbers: [{ number: '+15005550000', carrier: 'simulator', max_concurrent: 10 }],
  agents: [
    {
      name: 'Asha',
      type: 'outbound',
      language: 'en',
      number: '+15005550000',
      prompt: 'You are Asha.',
      greeting: 'Hello {{user_name}}',
      branch: 'Main',
      retry: { max_attempts: 2, delay: '60s', on: ['no_answer', 'voicemail'] },
    },
    { name: 'Aaron' },
  ],
  branches: [{ name: 'Main', timezone: 'Asia/Kolkata' }, { name: 'Annex' }],
  services: [
    { name: 'Check-up', duration_minutes: 30, branches: ['Main'] },
    { name: 'Advice', branches: ['Annex', 'Main'] },
  ],
  do_not_call: ['+15005559999'],
  api_keys: [
    { name: 'all', scopes: ['*'] },
    { name: 'a reader', scopes: ['calls:read'] },
  ],
  webhook_endpoints: [
    { url: 'https://example.com/hook', events: ['*'], signing: true },
    { url: 'https://example.com/another', events: ['call.completed'] },
  ],
}

const named = (list: { name: string }[], id: Record<string, unknown>) => list.map(({ name }) => ({ name, ...id }))
const text = (pattern: RegExp) => expect.stringMatching(pattern)
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

function expectExample(made: Applied, base: string): void {
  expect(made).toMatchObject({
    organisation: {
      organisation_id: text(/^org_/),
      inbound: { url: `${base}/v1/hooks/${made.organisation.inbound.token}`, signing_secret: text(/^\w{40,}$/) },
    },
    users: example.users.map(({ email }) => ({ email })),
    agents: named(example.agents, { agent_id: text(/^agt_/) }),
    branches: named(example.branches, { branch_id: text(uuid) }),
    services: named(example.services, { appointment_type_id: text(uuid) }),
    api_keys: named(example.api_keys, { key_id: text(/^key_/), key: text(/^pk_[0-9A-Za-z]{43,}$/) }),
    webhook_endpoints: example.webhook_endpoints.map(({ url }) => ({
      url,
      endpoint_id: text(/^whe_/),
      secret: text(/^\w{40,}$/),
    })),
  })
  expect(made.organisation.inbound.token).toMatch(/^[0-9A-Za-z]{43,}$/)
  // A password the operator chose is not printed.
  for (const { password } of example.users) expect(JSON.stringify(made)).not.toContain(password)
}

/** Commands on a database of their own, in the PostgreSQL of the test run. */
async function openBooks() {
  const { db, url } = await createTestDatabase()
  const settings = { DATABASE_URL: url, PARLEY_SECRET_KEY: 'a secret key of the tests' }
  const count = async (table: string) =>
    Number((await db.query<{ count: string }>(`select count(*) from ${table}`))[0]?.count)
  const applyTo = async (file: unknown) => readJson<Applied>(await apply(file, settings))
  return { db, settings, count, applyTo }
}

describe('parley apply', () => {
  it('makes all of the example, alone and beside a running server', async () => {
    const dataDir = await makeDataDir()
    const alone = await apply(example, { PARLEY_DATA_DIR: dataDir })
    expect(await postgresServersBelow(dataDir)).toEqual([])
    const first = readJson<Applied>(alone)
    expectExample(first, 'http://127.0.0.1:3000')

    const server = await startedServer({ PARLEY_DATA_DIR: dataDir })
    expect(server.stdout()).not.toMatch(/pk_|password/)
    const beside = { PARLEY_DATA_DIR: dataDir, PORT: server.port }
    const second = readJson<Applied>(await apply(example, beside))
    expectExample(second, server.url)
    expect(second.organisation.organisation_id).not.toBe(first.organisation.organisation_id)

    const placedWith = async ({ api_keys, agents }: Applied, key = api_keys[0]?.key) => {
      const call = { agent_id: agents[0]?.agent_id, user_number: '+15005550001', user_name: 'Maya' }
      return (await ask(`${server.url}/v1/calls`, key, call)).status
    }
    expect(await placedWith(first)).toBe(201)
    expect(await placedWith(second)).toBe(201)
    expect(await placedWith(second, second.api_keys[1]?.key)).toBe(403)
    // Another organisation's agent does not exist.
    expect(await placedWith(second, first.api_keys[0]?.key)).toBe(400)
    const signIn = (password: string) =>
      ask(`${server.url}/api/session`, '', { email: example.users[1]?.email, password })
    expect((await signIn('battery staple')).status).toBe(200)

    // To one that exists things are added, and what was there can be referred to.
    const more = {
      organisation: { organisation_id: first.organisation.organisation_id, credits: 5 },
      agents: [{ name: 'Bela', number: '+15005550000', branch: 'Annex' }],
      api_keys: [{ name: 'second' }],
    }
    const added = readJson<Applied>(await apply(more, beside))
    expect(added).toMatchObject({
      organisation: {
        organisation_id: first.organisation.organisation_id,
        inbound: { url: null, token: null, signing_secret: null },
      },
      agents: [{ name: 'Bela' }],
      api_keys: [{ name: 'second' }],
      users: [],
      branches: [],
      services: [],
      webhook_endpoints: [],
    })
    expect(await placedWith(added)).toBe(201)
    expect(await placedWith(added, first.api_keys[0]?.key)).toBe(201)

    // A key revoked by the command fails on the very next request.
    const keyId = added.api_keys[0]?.key_id ?? ''
    const organisation = ['--organisation', first.organisation.organisation_id]
    readJson(await parley(['keys', 'revoke', keyId, ...organisation], beside))
    expect(await placedWith(added)).toBe(401)

    await server.stop()
    expect(await postgresServersBelow(dataDir)).toEqual([])
  })

  it('runs through npx, from a relative path and from standard input', async () => {
    const { settings, count } = await openBooks()
    const folder = await makeFolder()
    await writeFile(path.join(folder, 'x.json'), '{"organisation":{"name":"X"}}')
    const env = onlySettings(settings)
    const npx = ['--no-install', 'parley', 'apply']
    const file = path.relative(process.cwd(), path.join(folder, 'x.json'))
    const throughNpx = await run('npx', [...npx, file], { env: { ...env, npm_config_update_notifier: 'false' } })
    // npm itself may have something to say on standard error.
    expect(throughNpx.code).toBe(0)
    const shortest = JSON.parse(throughNpx.stdout) as Applied
    expect(shortest.organisation.organisation_id).toMatch(/^org_/)
    expect(shortest).toMatchObject({ users: [], agents: [], branches: [], services: [], api_keys: [] })
    expect(shortest.webhook_endpoints).toEqual([])

    const piped = `cat ${folder}/x.json | node_modules/.bin/parley apply -`
    readJson<Applied>(await run('sh', ['-c', piped], { env }))
    expect(await count('organisations')).toBe(2)
  })

  it('fills in the defaults', async () => {
    const { db, applyTo } = await openBooks()
    const made = await applyTo({
      organisation: { name: 'X' },
      users: [{ email: 'x@x.test' }],
      phone_numbers: [{ number: '+15005550000' }],
      agents: [{ name: 'A' }],
      branches: [{ name: 'B' }],
      services: [{ name: 'S' }],
      api_keys: [{ name: 'K' }],
      webhook_endpoints: [{ url: 'https://example.com/hook' }],
    })
    // Nobody chose a password, so one is made and printed.
    expect(made.users[0]?.password).toMatch(/^\w{12,}$/)
    expect(await db.query('select plan, timezone, inbound_signing from organisations')).toEqual([
      { plan: 'base', timezone: 'UTC', inbound_signing: false },
    ])
    expect(await db.query('select coalesce(sum(balance), 0)::int as credits from credit_balances')).toEqual([
      { credits: 0 },
    ])
    expect(await db.query('select carrier, max_concurrent from phone_numbers')).toEqual([
      { carrier: 'simulator', max_concurrent: 10 },
    ])
    expect(await db.query('select phone_number_id, branch_id, retry_max_attempts as attempts from agents')).toEqual([
      { phone_number_id: null, branch_id: null, attempts: 1 },
    ])
    expect(await db.query('select cardinality(scopes) as scopes, expires_at from api_keys')).toEqual([
      { scopes: 8, expires_at: null },
    ])
    expect(await db.query('select events, signing from webhook_endpoints')).toEqual([{ events: ['*'], signing: true }])
  })

  it('lets simulated numbers repeat across organisations, and real ones not', async () => {
    const { settings, count, applyTo } = await openBooks()
    const withNumber = (name: string, carrier: string) => ({
      organisation: { name },
      phone_numbers: [{ number: '+14155550123', carrier }],
    })
    await applyTo(withNumber('One', 'simulator'))
    await applyTo(withNumber('Two', 'sip'))
    const third = await apply(withNumber('Three', 'sip'), settings)
    expectRefusal(third, /phone_numbers\.0\.number: .*\+14155550123/)
    expect(third.stdout).toBe('')
    await applyTo(withNumber('Four', 'simulator'))
    expect(await count('organisations')).toBe(3)
  })
})

describe('a file with faults', () => {
  const faulty = {
    organisation: { name: 'Faulty', plan: 'base', timezone: 'Mars/Olympus', colour: 'red' },
    users: [
      { email: 'y@x.test', password: 'short' },
      { email: 'x@x.test', password: 'long enough' },
      { email: 'X@x.test', password: 'long enough' },
    ],
    phone_numbers: [{ number: '5005550000' }, { number: '+15005550001' }, { number: '+15005550001' }],
    agents: [
      { name: 'Mute', number: '+15005557777' },
      { name: 'Lost', branch: 'Nowhere' },
      { name: 'Asha' },
      { name: 'Asha' },
    ],
    branches: [{ name: 'Main', timezone: 'Asia/Kolkatta' }, { name: 'Annex' }, { name: 'Annex' }],
    services: [{ name: 'Advice', branches: ['Nowhere'] }, { name: 'Check-up' }, { name: 'Check-up' }],
    do_not_call: ['nobody'],
    api_keys: Array.from({ length: 6 }, (_, i) => ({ name: `key ${i}` })),
    webhook_endpoints: [
      { url: 'https://example.com/one' },
      { url: 'https://example.com/two' },
      { url: 'http://example.com/hook' },
      { url: 'https://127.0.0.1/hook' },
    ],
  }

  it('changes nothing and has every fault named at once', async () => {
    const { settings, count } = await openBooks()
    const exit = await apply(faulty, settings)
    expect(exit.stdout).toBe('')
    expectRefusal(
      exit,
      /organisation\.timezone: .*time zone/,
      /organisation\.colour: .*no field/,
      /users\.0\.password: /,
      /users\.2\.email: .*twice/,
      /phone_numbers\.0\.number: .*E\.164/,
      /phone_numbers\.2\.number: .*twice/,
      /agents\.0\.number: \+15005557777 /,
      /agents\.3\.name: .*twice/,
      /agents\.1\.branch: Nowhere /,
      /branches\.0\.timezone: .*time zone/,
      /branches\.2\.name: .*twice/,
      /services\.0\.branches\.0: Nowhere /,
      /services\.2\.name: .*twice/,
      /do_not_call\.0: .*E\.164/,
      /api_keys\.5: .*Base plan allows 5 active API keys/,
      /webhook_endpoints\.2\.url: .*https/,
      /webhook_endpoints\.3\.url: .*(public|this service)/,
      /webhook_endpoints\.1: .*Base plan allows 1 webhook endpoint/,
    )
    expect(await count('organisations')).toBe(0)
  })

  it('has all of one kind named: what only the database and the address guard can tell', async () => {
    const { settings, count } = await openBooks()
    const file = {
      organisation: { name: 'Faulty' },
      agents: [{ name: 'A', number: '+15005557777', branch: 'Nowhere' }],
      api_keys: faulty.api_keys,
      webhook_endpoints: [{ url: 'https://[::1]/hook' }, { url: 'https://localhost/hook' }],
    }
    const exit = await apply(file, settings)
    expect(exit.stdout).toBe('')
    const fields = [
      'agents.0.number',
      'agents.0.branch',
      'api_keys.5',
      'webhook_endpoints.0.url',
      'webhook_endpoints.1.url',
    ]
    expectRefusal(exit, ...fields.map((field) => `  ${field}: `), /webhook_endpoints\.1: .*plan/)
    expect(await count('organisations')).toBe(0)
  })

  it.each([
    {
      kind: 'shape',
      file: { organisation: { plan: 'gold', credits: -1 }, phones: [], agents: [{ type: 'robot' }] },
      fields: ['agents.0.name', 'agents.0.type', 'organisation.credits', 'organisation.plan', 'phones'],
    },
    {
      kind: 'format',
      file: {
        organisation: { name: 'Faulty' },
        phone_numbers: [{ number: '5005550000' }],
        branches: [{ name: 'Main', timezone: 'Mars' }, { name: 'Main' }],
        agents: [{ name: 'A', retry: { delay: 'soon' } }],
        api_keys: [{ name: 'K', expires_at: 'tomorrow' }],
      },
      fields: [
        'agents.0.retry.delay',
        'api_keys.0.expires_at',
        'branches.0.timezone',
        'branches.1.name',
        'phone_numbers.0.number',
      ],
    },
  ])('has all of one kind named: $kind', ({ file, fields }) => {
    const found = readApplyFile(file).faults.map((each) => each.field)
    expect(found).toEqual(expect.arrayContaining(fields))
  })

  it('of an organisation that exists leaves it as it was', async () => {
    const { settings, count, applyTo } = await openBooks()
    const made = await applyTo({
      organisation: { name: 'X' },
      users: [{ email: 'x@x.test' }],
      branches: [{ name: 'Main' }],
      agents: [{ name: 'Asha' }],
    })
    const organisation_id = made.organisation.organisation_id
    const again = {
      organisation: { organisation_id, credits: 10 },
      users: [{ email: 'X@X.test' }],
      branches: [{ name: 'Main' }, { name: 'New' }],
      agents: [{ name: 'Asha' }],
    }
    const taken = await apply(again, settings)
    expectRefusal(taken, /users\.0\.email: .*exists/, /branches\.0\.name: .*exists/, /agents\.0\.name: .*exists/)
    expect(await count('branches')).toBe(1)
    expect(await count('credit_entries')).toBe(0)
    const renamed = await apply({ organisation: { organisation_id, name: 'Y', plan: 'enterprise' } }, settings)
    expectRefusal(renamed, /organisation\.name: /, /organisation\.plan: /)
    const unknown = await apply({ organisation: { organisation_id: 'org_nobody' } }, settings)
    expectRefusal(unknown, /organisation\.organisation_id: .*no such organisation/)
    expect([taken, renamed, unknown].map(({ stdout }) => stdout)).toEqual(['', '', ''])
  })

  it('is told so when it is not JSON, not an object, not there, or not named', async () => {
    const { settings } = await openBooks()
    const folder = await makeFolder()
    const [cut, list, nameless, missing, unnamed] = await Promise.all([
      applyText('{"organisation": {"name": "X"', settings),
      applyText('[]', settings),
      applyText('{"organisation":{}}', settings),
      parley(['apply', path.join(folder, 'none.json')], settings),
      parley(['apply'], settings),
    ])
    expectRefusal(cut, /not valid JSON/)
    expectRefusal(list, /file: .*object/)
    expectRefusal(nameless, /organisation\.name: /)
    expectRefusal(missing, /none\.json/)
    expectRefusal(unnamed, /apply FILE/)
    for (const exit of [cut, list, nameless, missing, unnamed]) expect(exit.stdout).toBe('')
  })

  it('is also one whose real number another file takes at the same moment', async () => {
    const { db, organisation } = await createTestApp()
    const file = { phone_numbers: [{ number: '+14155550123', carrier: 'sip' as const }], agents: [] }
    const results = await Promise.allSettled([1, 2, 3].map(() => organisation(file)))
    const refused = results.filter((each) => each.status === 'rejected')
    expect(refused).toHaveLength(2)
    for (const { reason } of refused) expect.soft(reason.message).toMatch(/phone_numbers\.0\.number: /)
    expect(await db.query('select count(*)::int from organisations')).toEqual([{ count: 1 }])
  })
})

describe('parley keys and parley hook', () => {
  it('makes, lists and revokes keys, and holds the plan to its five', async () => {
    const { settings, applyTo } = await openBooks()
    expectRefusal(await parley(['keys', 'list'], settings), /no organisation yet/)
    await applyTo({ organisation: { name: 'X' }, api_keys: faultless(4) })
    const create = (name: string) => parley(['keys', 'create', '--name', name, '--scopes', 'calls:read'], settings)
    const fifth = readJson<Applied['api_keys'][number]>(await create('fifth'))
    expect(fifth).toEqual({ name: 'fifth', key_id: text(/^key_/), key: text(/^pk_[0-9A-Za-z]{43,}$/) })
    const sixth = await create('sixth')
    expectRefusal(sixth, 'The Base plan allows 5 active API keys. Revoke one or choose a larger plan.')
    expect(sixth.stdout).toBe('')

    const revoked = readJson(await parley(['keys', 'revoke', fifth.key_id], settings))
    expect(revoked).toMatchObject({ key_id: fifth.key_id, revoked_at: text(/Z$/) })
    readJson(await create('sixth'))

    const listed = await parley(['keys', 'list'], settings)
    const keys = readJson<{ name: string; scopes: string[]; revoked_at: string | null; ends_in: string }[]>(listed)
    expect(keys.map(({ name, revoked_at }) => [name, revoked_at !== null])).toEqual([
      ...faultless(4).map(({ name }) => [name, false]),
      ['fifth', true],
      ['sixth', false],
    ])
    expect(keys[4]).toMatchObject({ scopes: ['calls:read'], ends_in: fifth.key.slice(-4) })
    expect(listed.stdout).not.toContain(fifth.key)
  })

  it('makes a new hook URL', async () => {
    const { db, settings, applyTo } = await openBooks()
    const made = await applyTo({ organisation: { name: 'X' } })
    const hash = () => db.query<{ hash: string }>("select encode(inbound_token_hash, 'hex') as hash from organisations")
    const before = await hash()
    const answer = await parley(['hook', 'regenerate'], { ...settings, PARLEY_BASE_URL: 'https://parley.test/' })
    const { organisation_id, inbound } = readJson<{ organisation_id: string; inbound: Inbound }>(answer)
    expect(organisation_id).toBe(made.organisation.organisation_id)
    expect(inbound.token).not.toBe(made.organisation.inbound.token)
    expect(inbound.url).toBe(`https://parley.test/v1/hooks/${inbound.token}`)
    expect(await hash()).not.toEqual(before)
  })

  it('says what is wrong, and prints nothing else', async () => {
    const { settings, count, applyTo } = await openBooks()
    const one = await applyTo({ organisation: { name: 'One' } })
    const two = await applyTo({ organisation: { name: 'Two' }, api_keys: faultless(1) })
    const organisation = ['--organisation', one.organisation.organisation_id]
    const foreignKey = two.api_keys[0]?.key_id ?? ''
    const refusals: [string[], RegExp][] = [
      [['keys', 'list'], /several organisations.*--organisation/],
      [['hook', 'regenerate', '--organisation', 'org_nobody'], /no organisation org_nobody/],
      [['keys', 'revoke', 'key_nobody', ...organisation], /no such API key/],
      [['keys', 'revoke', foreignKey, ...organisation], /no such API key/],
      [['keys', 'revoke', ...organisation], /KEY_ID/],
      [['keys', 'create', '--name', 'x', '--scopes', 'calls:dance', ...organisation], /--scopes .*calls:create/],
      [['keys', 'create', '--scopes', '*', ...organisation], /--name/],
      [['keys', 'create', '--name', 'x', '--colour', 'red'], /--colour.*Usage/s],
      [['keys', 'dance'], /keys create.*keys list.*keys revoke/s],
      [['hook'], /hook regenerate/],
    ]
    const exits = await Promise.all(refusals.map(([words]) => parley(words, settings)))
    for (const [i, exit] of exits.entries()) {
      expectRefusal(exit, refusals[i]?.[1] ?? '')
      expect(exit.stdout).toBe('')
    }
    expect(await count('api_keys')).toBe(1)
    expect(await count('api_keys where revoked_at is not null')).toBe(0)
  })

  it('gives out exactly five keys when ten are asked for at once', async () => {
    const { db, organisation, keyWith } = await createTestApp()
    const { organisationId } = await organisation({ organisation: { name: 'Base', plan: 'base' }, api_keys: [] })
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => keyWith(organisationId, ['*'])))
    const refused = results.filter((each) => each.status === 'rejected')
    expect(refused).toHaveLength(5)
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'PLAN_LIMIT_REACHED' })
    const [row] = await db.query('select count(*)::int from api_keys where organisation_id = $1', [organisationId])
    expect(row).toEqual({ count: 5 })
  })
})

function faultless(count: number): { name: string }[] {
  return Array.from({ length: count }, (_, i) => ({ name: `key ${i}` }))
}
