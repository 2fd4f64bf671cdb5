import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ask, clearScratch, keepRow, keptRows, makeScratch, postmasterPid, run } from '../../../test/embedded.ts'
import { startEmbeddedPostgres } from './postgres.ts'
import { lookForPostmaster } from './postmaster.ts'

const noSync = { settings: { fsync: 'off' } }

let made: string
let scratch: string
let dataDir: string

beforeAll(async () => {
  made = await makeScratch('parley-made-')
  await (await startEmbeddedPostgres({ dataDir: path.join(made, 'data'), ...noSync })).stop()
})

afterAll(() => rm(made, { recursive: true, force: true }))

/** Most promises are about a folder that has its database already, and initdb takes a second. */
const copyMadeFolder = () => run('cp', ['-Rp', path.join(made, 'data'), dataDir])

beforeEach(async () => {
  scratch = await makeScratch('parley-embedded-')
  dataDir = path.join(scratch, 'data')
})

afterEach(() => clearScratch(scratch))

/** A backend may end by itself between being listed and being killed. */
function killIfThere(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid='])
  const pairs = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  return pairs.flatMap(([child, parent]) => (parent === pid && child ? [child] : []))
}

async function untilDead(pid: number): Promise<void> {
  await expect
    .poll(() => lookForPostmaster(path.join(dataDir, 'postgres')), { timeout: 10_000 })
    .toEqual({ state: 'absent' })
  expect(() => process.kill(pid, 0)).toThrow()
}

describe('a data folder', () => {
  it('is made if missing, and the second start finds the rows of the first', async () => {
    const first = await startEmbeddedPostgres({ dataDir, ...noSync })
    expect(first.startedHere).toBe(true)
    expect(first.url).toMatch(/^postgres:\/\/parley:[\w-]{32}@127\.0\.0\.1:\d+\/parley$/)
    await keepRow(first.url)
    await first.stop()
    await first.stop()
    const second = await startEmbeddedPostgres({ dataDir: path.relative(process.cwd(), dataDir), ...noSync })
    expect(second.startedHere).toBe(true)
    expect(await keptRows(second.url)).toEqual([{ value: 7 }])
    await second.stop()
  })

  it('keeps the password private, and the server takes no other, checks its pages and stays on 127.0.0.1', async () => {
    const server = await startEmbeddedPostgres({ dataDir, ...noSync })
    expect((await stat(path.join(dataDir, 'postgres.password'))).mode & 0o777).toBe(0o600)
    expect((await stat(path.join(dataDir, 'postgres.password'))).uid).toBe(process.getuid?.())
    expect((await stat(path.join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700)
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log', 'postgres.password'])
    const wrong = server.url.replace(/:[^:@]+@/, ':wrong@')
    await expect(ask(wrong, 'select 1')).rejects.toMatchObject({ code: '28P01' })
    const names = ['data_checksums', 'fsync', 'lc_collate', 'listen_addresses', 'server_encoding', 'synchronous_commit']
    const rows = await ask(
      server.url,
      `select name, setting from pg_settings where name = any('{${names}}') order by 1`,
    )
    expect(Object.fromEntries(rows.map((row) => [row.name, row.setting]))).toEqual({
      data_checksums: 'on',
      fsync: 'off',
      listen_addresses: '127.0.0.1',
      server_encoding: 'UTF8',
      synchronous_commit: 'on',
    })
    const [database] = await ask(server.url, "select datcollate from pg_database where datname = 'parley'")
    expect(database).toEqual({ datcollate: 'C' })
  })

  it('keeps no value of a failed statement in its log, and a log above 10 MB begins anew', async () => {
    await copyMadeFolder()
    await writeFile(path.join(dataDir, 'postgres.log'), 'old\n'.repeat(3_000_000))
    const server = await startEmbeddedPostgres({ dataDir, ...noSync })
    await expect(ask(server.url, "select '+4915112345678'::int")).rejects.toMatchObject({ code: '22003' })
    await server.stop()
    const log = await readFile(path.join(dataDir, 'postgres.log'), 'utf8')
    expect(log).toContain('database system is ready')
    expect(log).not.toContain('old')
    expect(log).not.toContain('4915112345678')
  })
})

describe('a running server', () => {
  it('is attached to by a second call, and stopped through it', async () => {
    await copyMadeFolder()
    const first = await startEmbeddedPostgres({ dataDir, ...noSync })
    const pid = await postmasterPid(path.join(dataDir, 'postgres'))
    const second = await startEmbeddedPostgres({ dataDir })
    expect(second).toMatchObject({ startedHere: false, url: first.url })
    await second.stop()
    await untilDead(pid)
    await first.stop()
  })

  it('is waited for while it stops, and then started again', async () => {
    await copyMadeFolder()
    const first = await startEmbeddedPostgres({ dataDir, ...noSync })
    const client = new pg.Client({ connectionString: first.url })
    await client.connect()
    // The slow stop, which waits for the client.
    process.kill(await postmasterPid(path.join(dataDir, 'postgres')), 'SIGTERM')
    await expect.poll(async () => (await lookForPostmaster(path.join(dataDir, 'postgres'))).state).toBe('stopping')
    const starting = startEmbeddedPostgres({ dataDir, ...noSync })
    await sleep(500)
    await client.end()
    const second = await starting
    expect(second.startedHere).toBe(true)
    expect(await ask(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('has one winner and one that attaches when two start at the same moment', async () => {
    const both = await Promise.all([1, 2].map(() => startEmbeddedPostgres({ dataDir, ...noSync })))
    expect(both.map((server) => server.startedHere).sort()).toEqual([false, true])
    for (const { url } of both) expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
    await both[0]?.stop()
    const again = await Promise.all([1, 2, 3].map(() => startEmbeddedPostgres({ dataDir, ...noSync })))
    expect(again.map((server) => server.startedHere).sort()).toEqual([false, false, true])
    expect(await readdir(dataDir)).toHaveLength(3)
  })
})

describe('after a crash', () => {
  it('no acknowledged row is lost when the postmaster and all its children are killed', async () => {
    await copyMadeFolder()
    const first = await startEmbeddedPostgres({ dataDir })
    await ask(first.url, 'create table acknowledged (value int)')
    const pid = await postmasterPid(path.join(dataDir, 'postgres'))
    let acknowledged = 0
    const writing = (async () => {
      for (;;) {
        await ask(first.url, `insert into acknowledged values (${acknowledged + 1})`)
        acknowledged += 1
      }
    })().catch(() => {})
    await expect.poll(() => acknowledged, { timeout: 10_000 }).toBeGreaterThan(20)
    for (const victim of [pid, ...(await childrenOf(pid))]) killIfThere(victim)
    await writing
    const second = await startEmbeddedPostgres({ dataDir })
    expect(second.startedHere).toBe(true)
    const [row] = await ask(second.url, 'select max(value) from acknowledged')
    expect(row?.max).toBeGreaterThanOrEqual(acknowledged)
  })

  it('starts when only the postmaster was killed and its children linger', async () => {
    await copyMadeFolder()
    const first = await startEmbeddedPostgres({ dataDir, ...noSync })
    await keepRow(first.url)
    const pid = await postmasterPid(path.join(dataDir, 'postgres'))
    const children = await childrenOf(pid)
    for (const child of children) killIfThere(child, 'SIGSTOP')
    process.kill(pid, 'SIGKILL')
    const starting = startEmbeddedPostgres({ dataDir, ...noSync }).catch((error: Error) => error)
    await sleep(1_500)
    for (const child of children) killIfThere(child, 'SIGCONT')
    const second = await starting
    expect(second).not.toBeInstanceOf(Error)
    expect(await keptRows('url' in second ? second.url : '')).toEqual([{ value: 7 }])
    expect(await readFile(path.join(dataDir, 'postgres.log'), 'utf8')).toContain('pre-existing shared memory block')
  })

  it.each([
    ['is empty', () => ''],
    [
      'names another living process',
      () => `${process.pid}\n${dataDir}/postgres\n1700000000\n5432\n\n127.0.0.1\n\nready\n`,
    ],
    ['names a process that has gone', () => `4194000\n${dataDir}/postgres\n1700000000\n5432\n\n127.0.0.1\n\nready\n`],
  ])('starts over a postmaster.pid that %s', async (_name, content) => {
    await copyMadeFolder()
    const first = await startEmbeddedPostgres({ dataDir, ...noSync })
    await keepRow(first.url)
    await first.stop()
    await writeFile(path.join(dataDir, 'postgres/postmaster.pid'), content())
    const both = await Promise.all([1, 2].map(() => startEmbeddedPostgres({ dataDir, ...noSync })))
    for (const { url } of both) expect(await keptRows(url)).toEqual([{ value: 7 }])
    expect(both.map((server) => server.startedHere).sort()).toEqual([false, true])
  })
})

describe('a start that cannot succeed says why', () => {
  const start = (settings = {}) => startEmbeddedPostgres({ dataDir, settings })

  it('when the data folder is a file', async () => {
    await writeFile(dataDir, '')
    await expect(start()).rejects.toThrow(/data folder .*data cannot be used: EEXIST/)
  })

  it('when something else is where the database belongs', async () => {
    await mkdir(path.join(dataDir, 'postgres/holiday-pictures'), { recursive: true })
    await expect(start()).rejects.toThrow(/could not be made in .*: something else is in that folder/)
  })

  it('with the end of the log when PostgreSQL refuses, for another version, and without the password', async () => {
    await copyMadeFolder()
    await expect(start({ shared_buffers: 'plenty' })).rejects.toThrow(
      /does not start: it ended with code 1.*invalid value.*plenty/s,
    )
    await appendFile(path.join(dataDir, 'postgres/postgresql.conf'), 'no such line\n')
    await expect(start()).rejects.toThrow(/syntax error in file/)
    await rm(path.join(dataDir, 'postgres/global/pg_control'))
    await writeFile(path.join(dataDir, 'postgres/postgresql.conf'), '')
    await expect(start()).rejects.toThrow(/pg_control/)
    await writeFile(path.join(dataDir, 'postgres/PG_VERSION'), '14\n')
    await expect(start()).rejects.toThrow(/made by PostgreSQL 14, but this Parley comes with PostgreSQL 18/)
    await rm(path.join(dataDir, 'postgres.password'))
    await expect(start()).rejects.toThrow(/password of the database.* cannot be read or made: ENOENT/)
  })

  it('and stops what it started when the password is the wrong one', async () => {
    await copyMadeFolder()
    await writeFile(path.join(dataDir, 'postgres.password'), 'wrong\n')
    await expect(start()).rejects.toThrow(/does not accept the password/)
    expect(await lookForPostmaster(path.join(dataDir, 'postgres'))).toEqual({ state: 'absent' })
  })
})
