import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  apply,
  ask,
  copyDataDir,
  type Demo,
  embeddedUrl,
  expectSuccess,
  makeDataDir,
  readDemo,
  readJson,
  type Server,
  startedServer,
} from './process.ts'
import { postgresServersBelow, send } from './process-tree.ts'
import { until } from './until.ts'

// Hashing passwords takes its time: a file that keeps the command busy while a story goes on.
const longFile = {
  organisation: { name: 'Long' },
  users: Array.from({ length: 40 }, (_, i) => ({ email: `u${i}@long.test`, password: 'long enough' })),
}

let madeDataDir: string
let demo: Demo

const place = async ({ url }: Server) => {
  const call = { agent_id: demo.agentId, user_number: '+15005550001', user_name: 'Maya' }
  return (await ask(`${url}/v1/calls`, demo.key, call)).status
}

async function expectCleanStop(server: Server, dataDir: string): Promise<void> {
  expectSuccess(await server.stop())
  expect(await postgresServersBelow(dataDir)).toEqual([])
}

/** Whether a process of this kind has a connection to the database. */
async function isConnected(dataDir: string, kind: 'server' | 'command'): Promise<boolean> {
  const client = new pg.Client({ connectionString: await embeddedUrl(dataDir) })
  client.on('error', () => {})
  try {
    await client.connect()
    const found = await client.query('select 1 from pg_stat_activity where application_name like $1', [
      `parley ${kind} %`,
    ])
    return found.rows.length > 0
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

beforeAll(async () => {
  madeDataDir = await makeDataDir()
  const server = await startedServer({ PARLEY_DATA_DIR: madeDataDir })
  demo = readDemo(server.stdout())
  await server.stop()
}, 120_000)

describe('several servers on one data folder', () => {
  it('come up when started at the same moment, and only one makes the demo', async () => {
    const dataDir = await makeDataDir()
    const three = await Promise.all([1, 2, 3].map(() => startedServer({ PARLEY_DATA_DIR: dataDir })))
    expect(await postgresServersBelow(dataDir)).toHaveLength(1)
    for (const server of three) expect((await ask(`${server.url}/readyz`)).status).toBe(200)
    const printed = three.map((server) => server.stdout()).join('')
    expect(printed.match(/demo organisation was made/g)).toHaveLength(1)
    for (const server of three) expectSuccess(await server.stop())
    expect(await postgresServersBelow(dataDir)).toEqual([])
  })

  it.concurrent('share the database: whoever stops leaves it to the others', async () => {
    const dataDir = await copyDataDir(madeDataDir)
    const starter = await startedServer({ PARLEY_DATA_DIR: dataDir })
    const second = await startedServer({ PARLEY_DATA_DIR: dataDir })
    const third = await startedServer({ PARLEY_DATA_DIR: dataDir })
    const running = await postgresServersBelow(dataDir)
    expect(running).toHaveLength(1)
    for (const leaver of [starter, second]) {
      expect(await place(leaver)).toBe(201)
      expect(await place(third)).toBe(201)
      expectSuccess(await leaver.stop())
      expect(await postgresServersBelow(dataDir)).toEqual(running)
      expect(await place(third)).toBe(201)
    }
    await expectCleanStop(third, dataDir)
  })

  it.concurrent('share it also when the one that stays has had nothing to do for a while', async () => {
    const dataDir = await copyDataDir(madeDataDir)
    const idle = await startedServer({ PARLEY_DATA_DIR: dataDir, PARLEY_ROLES: 'api' })
    const leaver = await startedServer({ PARLEY_DATA_DIR: dataDir })
    // A pool gives back connections it has not used for ten seconds.
    await sleep(13_000)
    expectSuccess(await leaver.stop())
    expect(await postgresServersBelow(dataDir)).toHaveLength(1)
    expect(await place(idle)).toBe(201)
    await expectCleanStop(idle, dataDir)
  })

  it('leave no database behind when they are stopped at the same moment', async () => {
    const dataDir = await copyDataDir(madeDataDir)
    for (let round = 1; round <= 2; round += 1) {
      const three = await Promise.all([1, 2, 3].map(() => startedServer({ PARLEY_DATA_DIR: dataDir })))
      for (const server of three) send(server.pid, 'SIGINT')
      for (const server of three) expectSuccess(await server.exited)
      expect(await postgresServersBelow(dataDir)).toEqual([])
    }
  })
})

describe('a server and a command on one data folder', () => {
  it('the server stops, and the command still ends well', async () => {
    const dataDir = await copyDataDir(madeDataDir)
    const server = await startedServer({ PARLEY_DATA_DIR: dataDir })
    const applied = apply(longFile, { PARLEY_DATA_DIR: dataDir })
    await until('the command to be at work', () => isConnected(dataDir, 'command'))
    expectSuccess(await server.stop())
    const made = readJson<{ users: unknown[] }>(await applied)
    expect(made.users).toHaveLength(longFile.users.length)
    // The command never stops a database it found; the next server does.
    const next = await startedServer({ PARLEY_DATA_DIR: dataDir })
    await expectCleanStop(next, dataDir)
  })

  it('the command that had started the database ends, and the server goes on', async () => {
    const dataDir = await copyDataDir(madeDataDir)
    const applied = apply(longFile, { PARLEY_DATA_DIR: dataDir })
    await until('the command to be at work', async () =>
      (await postgresServersBelow(dataDir)).length > 0 ? isConnected(dataDir, 'command') : false,
    )
    const server = await startedServer({ PARLEY_DATA_DIR: dataDir })
    expectSuccess(await applied)
    expect(await place(server)).toBe(201)
    expect((await ask(`${server.url}/readyz`)).status).toBe(200)
    await expectCleanStop(server, dataDir)
  })
})
