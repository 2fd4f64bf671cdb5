import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Applied, example, expectExample, openBooks } from './applied.ts'
import {
  apply,
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
