import { spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Answer,
  ask,
  copyDataDir,
  type Demo,
  expectRefusal,
  expectSuccess,
  freePort,
  makeDataDir,
  readDemo,
  type Server,
  startedServer,
  startServer,
} from './process.ts'
import { isRunning, killTree, postgresServersBelow } from './process-tree.ts'
import { until } from './until.ts'

const busy = { PARLEY_RATE_LIMIT_PER_MINUTE: '1000000', LOG_LEVEL: 'warn' }

let madeDataDir: string
let demo: Demo
let firstCall: string

const idOf = ({ body }: Answer): string => (body.data as { call_id: string } | undefined)?.call_id ?? 'none'
const placeCall = (url: string) =>
  ask(`${url}/v1/calls`, demo.key, { agent_id: demo.agentId, user_number: '+15005550001', user_name: 'Maya' })
const statusOf = async (url: string, callId: string) => (await ask(`${url}/v1/calls/${callId}`, demo.key)).status

async function expectCleanStop(server: Server, dataDir: string, signal?: NodeJS.Signals): Promise<void> {
  expectSuccess(await server.stop(signal))
  expect(await postgresServersBelow(dataDir)).toEqual([])
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow()
}

/** Runs the printed line in a shell; where there is no curl, sends the same request. */
async function runCurl(line: string): Promise<Answer> {
  if (spawnSync('curl', ['--version']).status !== 0) {
    const [, method = '', url = ''] = /^curl -X (\w+) (\S+)/.exec(line) ?? []
    const headers = [...line.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = '', value = '']) => [name, value])
    const body = / -d '(.+)'$/.exec(line)?.[1] ?? ''
    const response = await fetch(url, { method, headers: Object.fromEntries(headers), body })
    return { status: response.status, body: (await response.json()) as Answer['body'] }
  }
  const { stdout, stderr } = spawnSync('sh', ['-c', `${line} --silent --show-error --write-out '\\n%{http_code}'`], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  })
  const [body = '', status] = stdout.split('\n')
  return { status: Number(status), body: body.startsWith('{') ? JSON.parse(body) : { stdout, stderr } }
}

/** Every call of the organisation, page by page. */
async function listCallIds(url: string): Promise<Set<string>> {
  const ids = new Set<string>()
  for (let cursor = ''; ; ) {
    const { status, body } = await ask(`${url}/v1/calls?limit=100${cursor && `&cursor=${cursor}`}`, demo.key)
    expect(status).toBe(200)
    for (const call of body.data as { call_id: string }[]) ids.add(call.call_id)
    if (!body.has_more) return ids
    cursor = encodeURIComponent(String(body.next_cursor))
  }
}

describe('the first start', () => {
  let server: Server
  let printed: string

  // The stories after this one work on copies of the folder it leaves behind.
  beforeAll(async () => {
    madeDataDir = await makeDataDir()
    server = await startedServer({ PARLEY_DATA_DIR: madeDataDir })
    printed = server.stdout()
    demo = readDemo(printed)
    const placed = await runCurl(demo.curl)
    expect(placed).toMatchObject({ status: 201, body: { data: { status: 'scheduled' } } })
    firstCall = idOf(placed)
  }, 120_000)

  it('prints where it is, and what it prints as addresses are pages', async () => {
    expect(printed).toContain(`Parley is running at ${server.url}\n`)
    expect(printed).toContain(madeDataDir)
    expect(demo.hookUrl.startsWith(`${server.url}/v1/hooks/`)).toBe(true)
    const pages = [...printed.matchAll(/^ {2}(?:Dashboard|API reference)\s+(\S+)$/gm)].map(([, page = '']) => page)
    expect(pages).toEqual([server.url, `${server.url}/docs`])
    for (const page of pages) {
      const answer = await fetch(page, { headers: { accept: 'text/html' } })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toMatch('text/html')
    }
  })

  it('prints a curl that places a call', async () => {
    expect(await statusOf(server.url, firstCall)).toBe(200)
  })

  it('prints a login that signs in', async () => {
    const signIn = (password: string) => ask(`${server.url}/api/session`, '', { email: demo.email, password })
    expect(await signIn(demo.password)).toMatchObject({ status: 200, body: { data: { user: { email: demo.email } } } })
    expect((await signIn(`${demo.password}x`)).status).toBe(401)
  })

  it('stops clean, and no line it wrote later holds a secret', async () => {
    await expectCleanStop(server, madeDataDir)
    const later = server.stdout().slice(printed.length)
    expect(later).toContain('Stopping')
    for (const secret of [demo.key, demo.password, demo.hookUrl]) expect(later).not.toContain(secret)
  })
})

describe('a second start', () => {
  it('finds the data of the first, prints no secret again, and stops by SIGTERM, too', async () => {
    const dataDir = await copyDataDir(madeDataDir)
    const server = await startedServer({ PARLEY_DATA_DIR: dataDir })
    expect(await postgresServersBelow(dataDir)).toHaveLength(1)
    expect(await statusOf(server.url, firstCall)).toBe(200)
    expect((await placeCall(server.url)).status).toBe(201)
    await expectCleanStop(server, dataDir, 'SIGTERM')
    const stdout = server.stdout()
    expect(stdout).toContain(`Parley is running at ${server.url}\n`)
    for (const secret of [demo.key, demo.password, demo.hookUrl, 'pk_', '/hooks/', 'password', 'curl']) {
      expect(stdout).not.toContain(secret)
    }
  })

  it('in an empty folder makes no demo where none is wanted, and stops by SIGHUP, too', async () => {
    const dataDir = await makeDataDir()
    const server = await startedServer({ PARLEY_DATA_DIR: dataDir, PARLEY_DEMO: 'false' })
    expect((await ask(`${server.url}/readyz`)).status).toBe(200)
    expect(server.stdout()).not.toMatch(/pk_|password|hooks/)
    await expectCleanStop(server, dataDir, 'SIGHUP')
  })
})

describe('a stop in the middle of the first start', () => {
  it('ends everything, and the next start goes on from there', async () => {
    const dataDir = await makeDataDir()
    const server = await startServer({ PARLEY_DATA_DIR: dataDir })
    const isAtWork = async () => server.hasEnded() || (await postgresServersBelow(dataDir)).length > 0
    await until('the start of the database', isAtWork)
    await expectCleanStop(server, dataDir)
    const again = await startedServer({ PARLEY_DATA_DIR: dataDir })
    expect((await ask(`${again.url}/readyz`)).status).toBe(200)
    await expectCleanStop(again, dataDir)
  })
})

describe('kill -9', () => {
  it('of everything while calls are written loses none that was answered', async () => {
    const dataDir = await copyDataDir(madeDataDir)
    const server = await startedServer({ PARLEY_DATA_DIR: dataDir, ...busy })
    const answered: string[] = []
    let isOver = false
    const write = async () => {
      while (!isOver) {
        const answer = await placeCall(server.url).catch(() => undefined)
        if (answer?.status === 201) answered.push(idOf(answer))
      }
    }
    const writers = Array.from({ length: 4 }, write)
    await until('calls to be written', () => answered.length >= 200)
    const databases = await postgresServersBelow(dataDir)
    expect(databases).toHaveLength(1)
    await killTree(server.pid, ...databases)
    isOver = true
    await Promise.all(writers)
    expect(await server.exited).toMatchObject({ signal: 'SIGKILL' })
    expect(await postgresServersBelow(dataDir)).toEqual([])

    const next = await startedServer({ PARLEY_DATA_DIR: dataDir, ...busy })
    const found = await listCallIds(next.url)
    expect([firstCall, ...answered].filter((callId) => !found.has(callId))).toEqual([])
    expect((await placeCall(next.url)).status).toBe(201)
    await expectCleanStop(next, dataDir)
  })

  it('of the server alone leaves a database, which the next start takes over and its stop ends', async () => {
    const dataDir = await copyDataDir(madeDataDir)
    const server = await startedServer({ PARLEY_DATA_DIR: dataDir })
    const placed = await placeCall(server.url)
    const [orphan = Number.NaN] = await postgresServersBelow(dataDir)
    await server.stop('SIGKILL')
    expect(await isRunning(orphan)).toBe(true)

    const next = await startedServer({ PARLEY_DATA_DIR: dataDir })
    expect(await postgresServersBelow(dataDir)).toEqual([orphan])
    expect(await statusOf(next.url, idOf(placed))).toBe(200)
    await expectCleanStop(next, dataDir)
    expect(await isRunning(orphan)).toBe(false)
  })

  it('of the database alone is told to clients as 503, and the server still stops', async () => {
    const dataDir = await copyDataDir(madeDataDir)
    const server = await startedServer({ PARLEY_DATA_DIR: dataDir, PARLEY_ROLES: 'api', LOG_LEVEL: 'silent' })
    await killTree(...(await postgresServersBelow(dataDir)))
    const away = { status: 503, body: { error: { code: 'UNAVAILABLE' } } }
    expect(await ask(`${server.url}/readyz`)).toMatchObject(away)
    expect(await placeCall(server.url)).toMatchObject(away)
    expect((await ask(`${server.url}/healthz`)).status).toBe(200)
    await expectCleanStop(server, dataDir)
  })
  it('of the database alone while a call is in the air does not keep the server from stopping', async () => {
    const dataDir = await copyDataDir(madeDataDir)
    const server = await startedServer({ PARLEY_DATA_DIR: dataDir, PARLEY_CALL_DELAY: '10ms', LOG_LEVEL: 'silent' })
    const callId = idOf(await placeCall(server.url))
    await until('the call to be answered', async () => {
      const { body } = await ask(`${server.url}/v1/calls/${callId}`, demo.key)
      return (body.data as { status: string }).status === 'in_progress'
    })
    await killTree(...(await postgresServersBelow(dataDir)))
    await expectCleanStop(server, dataDir)
  })
})

describe('a port that is taken', () => {
  it('is told in words, and the database of the server that has it goes on', async () => {
    const dataDir = await copyDataDir(madeDataDir)
    const server = await startedServer({ PARLEY_DATA_DIR: dataDir })
    const [database] = await postgresServersBelow(dataDir)
    const second = await startServer({ PARLEY_DATA_DIR: dataDir, PORT: server.port })
    expectRefusal(await second.exited, /port.* taken.*PORT/s)
    expect(second.stdout()).not.toMatch('is running')
    expect(await postgresServersBelow(dataDir)).toEqual([database])
    expect((await placeCall(server.url)).status).toBe(201)
    await expectCleanStop(server, dataDir)
  })

  it('by another program leaves no database behind', async () => {
    const dataDir = await copyDataDir(madeDataDir)
    const port = await freePort()
    const other = createServer().listen(port, '127.0.0.1')
    try {
      const server = await startServer({ PARLEY_DATA_DIR: dataDir, PORT: String(port) })
      expectRefusal(await server.exited, /port.* taken.*PORT/s)
      expect(await postgresServersBelow(dataDir)).toEqual([])
    } finally {
      other.close()
    }
  })
})
