import { spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  ask,
  copyDataDir,
  type Demo,
  freePort,
  isRunning,
  killTree,
  makeDataDir,
  postgresServersBelow,
  readDemo,
  type Server,
  send,
  stack,
  startedServer,
  startServer,
  until,
} from './process.ts'

const unlimited = { PARLEY_RATE_LIMIT_PER_MINUTE: '1000000', LOG_LEVEL: 'warn' }

let madeDataDir: string
let demo: Demo
let firstCall: string

const idOf = (body: Record<string, unknown>): string => (body.data as { call_id: string }).call_id
const placeCall = (url: string, agentId = demo.agentId) =>
  ask(`${url}/v1/calls`, demo.key, { agent_id: agentId, user_number: '+15005550001', user_name: 'Maya' })
const statusOf = async (url: string, callId: string) => (await ask(`${url}/v1/calls/${callId}`, demo.key)).status

async function expectCleanStop(server: Server, dataDir: string): Promise<void> {
  expect(await server.stop()).toMatchObject({ code: 0, signal: null, stderr: '' })
  expect(await postgresServersBelow(dataDir)).toEqual([])
}

function runCurl(line: string): { status: number; body: Record<string, unknown> } {
  const { stdout, stderr } = spawnSync('sh', ['-c', `${line} --silent --show-error --write-out '\\n%{http_code}'`], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  })
  const [body = '', status] = stdout.split('\n')
  return { status: Number(status), body: body.startsWith('{') ? JSON.parse(body) : { stdout, stderr } }
}

/** Where there is no curl: the same request. */
async function sendCurl(line: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const [, method = '', url = ''] = /^curl -X (\w+) (\S+)/.exec(line) ?? []
  const headers = [...line.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = '', value = '']) => [name, value])
  const body = / -d '(.+)'$/.exec(line)?.[1] ?? ''
  const response = await fetch(url, { method, headers: Object.fromEntries(headers), body })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

// The first start of an empty folder; the stories after it work on copies of what it left.
beforeAll(async () => {
  madeDataDir = await makeDataDir()
  const server = await startServer({ PARLEY_DATA_DIR: madeDataDir })
  const stdout = await server.waitFor('Press Ctrl-C to stop.')
  expect(stdout).toContain(`Parley is running at ${server.url}\n`)
  expect(stdout).toContain(madeDataDir)
  demo = readDemo(stdout)

  const hasCurl = spawnSync('curl', ['--version']).status === 0
  const placed = hasCurl ? runCurl(demo.curl) : await sendCurl(demo.curl)
  expect(placed).toMatchObject({ status: 201, body: { data: { status: 'scheduled' } } })
  firstCall = idOf(placed.body)
  expect(await statusOf(server.url, firstCall)).toBe(200)

  const signedIn = await ask(`${server.url}/api/session`, '', { email: demo.email, password: demo.password })
  expect(signedIn).toMatchObject({ status: 200, body: { success: true, data: { user: { email: demo.email } } } })
  const wrong = await ask(`${server.url}/api/session`, '', { email: demo.email, password: `${demo.password}x` })
  expect(wrong.status).toBe(401)
  expect(demo.hookUrl.startsWith(`${server.url}/v1/hooks/`)).toBe(true)

  for (const page of stdout.matchAll(/^ {2}(?:Dashboard|API reference)\s+(\S+)$/gm)) {
    const answer = await fetch(page[1] ?? '')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch('text/html')
  }
  // Ctrl-C: what was shown once is in no line written later.
  const { stdout: all } = await server.stop()
  expect(all.split(demo.key)).toHaveLength(3)
  expect(all.split(demo.password)).toHaveLength(2)
  expect(await postgresServersBelow(madeDataDir)).toEqual([])
}, 180_000)

describe('a second start', () => {
  it('finds the data of the first and prints no secret again', async () => {
    const dataDir = await copyDataDir(madeDataDir)
    const server = await startedServer({ PARLEY_DATA_DIR: dataDir })
    expect(await statusOf(server.url, firstCall)).toBe(200)
    expect((await placeCall(server.url)).status).toBe(201)
    const { stdout } = await server.stop()
    expect(stdout).toContain(`Parley is running at ${server.url}\n`)
    for (const secret of [demo.key, demo.password, demo.hookUrl, 'pk_', '/hooks/', 'password', 'curl']) {
      expect(stdout).not.toContain(secret)
    }
  })

  it('makes no demo where none is wanted', async () => {
    const dataDir = await makeDataDir()
    const server = await startedServer({ PARLEY_DATA_DIR: dataDir, PARLEY_DEMO: 'false' })
    expect((await ask(`${server.url}/readyz`)).status).toBe(200)
    expect(server.stdout()).not.toMatch(/pk_|password|hooks/)
    await expectCleanStop(server, dataDir)
  })
})

describe('a stop', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('by %s ends everything, with code 0', async (signal) => {
    const dataDir = await copyDataDir(madeDataDir)
    const server = await startedServer({ PARLEY_DATA_DIR: dataDir })
    // A connection kept alive must not hold it up.
    expect(await statusOf(server.url, firstCall)).toBe(200)
    expect(await postgresServersBelow(dataDir)).toHaveLength(1)
    expect(await server.stop(signal)).toMatchObject({ code: 0, signal: null, stderr: '' })
    expect(await postgresServersBelow(dataDir)).toEqual([])
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow()
  })

  it('asked for while the first database is being made ends everything, too', async () => {
    const dataDir = await makeDataDir()
    const server = await startServer({ PARLEY_DATA_DIR: dataDir })
    await until('the start of the database', async () => (await postgresServersBelow(dataDir)).length > 0)
    expect(await server.stop()).toMatchObject({ code: 0, signal: null })
    expect(await postgresServersBelow(dataDir)).toEqual([])
    const again = await startedServer({ PARLEY_DATA_DIR: dataDir })
    expect((await ask(`${again.url}/readyz`)).status).toBe(200)
    await expectCleanStop(again, dataDir)
  })
})

describe('kill -9', () => {
  it('of everything while calls are written loses none that was answered', async () => {
    const dataDir = await copyDataDir(madeDataDir)
    const server = await startedServer({ PARLEY_DATA_DIR: dataDir, ...unlimited })
    const answered: string[] = []
    let isOver = false
    const write = async () => {
      while (!isOver) {
        const answer = await placeCall(server.url).catch(() => undefined)
        if (answer?.status === 201) answered.push(idOf(answer.body))
      }
    }
    const writers = Array.from({ length: 8 }, write)
    await until('calls to be written', () => answered.length >= 300)
    const databases = await postgresServersBelow(dataDir)
    expect(databases).toHaveLength(1)
    await killTree(server.pid, ...databases)
    isOver = true
    await Promise.all(writers)
    expect(await server.exited).toMatchObject({ signal: 'SIGKILL' })
    expect(await postgresServersBelow(dataDir)).toEqual([])

    const next = await startedServer({ PARLEY_DATA_DIR: dataDir, ...unlimited })
    const lost: string[] = []
    for (const callId of [firstCall, ...answered]) {
      if ((await statusOf(next.url, callId)) !== 200) lost.push(callId)
    }
    expect(lost).toEqual([])
    expect((await placeCall(next.url)).status).toBe(201)
    await expectCleanStop(next, dataDir)
  })

  it('of the server alone leaves a database which the next start takes over and its stop ends', async () => {
    const dataDir = await copyDataDir(madeDataDir)
    const server = await startedServer({ PARLEY_DATA_DIR: dataDir })
    const placed = await placeCall(server.url)
    const [orphan = Number.NaN] = await postgresServersBelow(dataDir)
    await server.stop('SIGKILL')
    expect(await isRunning(orphan)).toBe(true)

    const next = await startedServer({ PARLEY_DATA_DIR: dataDir })
    expect(await postgresServersBelow(dataDir)).toEqual([orphan])
    expect(await statusOf(next.url, idOf(placed.body))).toBe(200)
    await expectCleanStop(next, dataDir)
    expect(await isRunning(orphan)).toBe(false)
  })

  it('of the database alone is told to clients as 503, and the server still stops', async () => {
    const dataDir = await copyDataDir(madeDataDir)
    const server = await startedServer({ PARLEY_DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
    await killTree(...(await postgresServersBelow(dataDir)))
    expect(await ask(`${server.url}/readyz`)).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE' } } })
    expect(await placeCall(server.url)).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE' } } })
    expect((await ask(`${server.url}/healthz`)).status).toBe(200)
    await expectCleanStop(server, dataDir)
  })
})

describe('a port that is taken', () => {
  it('is told in words, and the database of the server that has it goes on', async () => {
    const dataDir = await copyDataDir(madeDataDir)
    const server = await startedServer({ PARLEY_DATA_DIR: dataDir })
    const [database] = await postgresServersBelow(dataDir)
    const second = await (await startServer({ PARLEY_DATA_DIR: dataDir, PORT: server.port })).exited
    expect(second.code).toBe(1)
    expect(second.stderr).toMatch(/port.* taken.*PORT/s)
    expect(second.stderr).not.toMatch(stack)
    expect(second.stdout).not.toMatch('is running')
    expect(await postgresServersBelow(dataDir)).toEqual([database])
    expect((await placeCall(server.url)).status).toBe(201)
    await expectCleanStop(server, dataDir)
  })

  it('by another program leaves no database behind', async () => {
    const dataDir = await copyDataDir(madeDataDir)
    const port = await freePort()
    const other = createServer().listen(port, '127.0.0.1')
    try {
      const exit = await (await startServer({ PARLEY_DATA_DIR: dataDir, PORT: String(port) })).exited
      expect(exit.code).toBe(1)
      expect(exit.stderr).toMatch(/port.* taken.*PORT/s)
      expect(exit.stderr).not.toMatch(stack)
      expect(await postgresServersBelow(dataDir)).toEqual([])
    } finally {
      other.close()
    }
  })
})

describe('two servers on one data folder', () => {
  it('both come up when started at the same moment, and only one makes the demo', async () => {
    const dataDir = await makeDataDir()
    const two = await Promise.all([1, 2].map(() => startedServer({ PARLEY_DATA_DIR: dataDir })))
    const demos = two.map((server) => server.stdout().split('demo organisation was made').length - 1)
    expect(demos.reduce((sum, each) => sum + each)).toBe(1)
    expect(await postgresServersBelow(dataDir)).toHaveLength(1)
    for (const server of two) expect((await ask(`${server.url}/readyz`)).status).toBe(200)
  })

  it('share the database: the first to stop leaves it to the other, whoever started it', async () => {
    const dataDir = await copyDataDir(madeDataDir)
    const starter = await startedServer({ PARLEY_DATA_DIR: dataDir })
    const second = await startedServer({ PARLEY_DATA_DIR: dataDir })
    const third = await startedServer({ PARLEY_DATA_DIR: dataDir })
    const [database] = await postgresServersBelow(dataDir)
    const placed = await placeCall(starter.url)
    expect(await statusOf(second.url, idOf(placed.body))).toBe(200)
    for (const leaver of [starter, second]) {
      expect(await leaver.stop()).toMatchObject({ code: 0, stderr: '' })
      expect(await postgresServersBelow(dataDir)).toEqual([database])
      expect(await statusOf(third.url, idOf(placed.body))).toBe(200)
      expect((await placeCall(third.url)).status).toBe(201)
    }
    await expectCleanStop(third, dataDir)
  })

  it('share it also when the one that stays has had nothing to do for a while', async () => {
    const dataDir = await copyDataDir(madeDataDir)
    const idle = await startedServer({ PARLEY_DATA_DIR: dataDir })
    const leaver = await startedServer({ PARLEY_DATA_DIR: dataDir })
    // A pool gives back connections it has not used for ten seconds.
    await sleep(13_000)
    expect(await leaver.stop()).toMatchObject({ code: 0, stderr: '' })
    expect(await postgresServersBelow(dataDir)).toHaveLength(1)
    expect((await placeCall(idle.url)).status).toBe(201)
    await expectCleanStop(idle, dataDir)
  })

  it('leave no database behind when both are stopped at the same moment', async () => {
    const dataDir = await copyDataDir(madeDataDir)
    for (let round = 1; round <= 3; round += 1) {
      const two = await Promise.all([1, 2].map(() => startedServer({ PARLEY_DATA_DIR: dataDir })))
      for (const server of two) send(server.pid, 'SIGINT')
      for (const server of two) expect(await server.exited).toMatchObject({ code: 0 })
      expect(await postgresServersBelow(dataDir)).toEqual([])
    }
  })
})
