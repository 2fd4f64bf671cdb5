import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect } from 'vitest'
import { settings } from '../../src/config.ts'
import { endPostgres, killTree, postgresServersBelow } from './process-tree.ts'
import { until } from './until.ts'

export const checkout = path.resolve(import.meta.dirname, '../../..')

export type Settings = Record<string, string>
export type Exit = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }
export type Running = {
  pid: number
  stdout(): string
  stderr(): string
  hasEnded(): boolean
  exited: Promise<Exit>
  /** What standard output holds once the text is in it; an error when the process ends without it. */
  waitFor(text: string): Promise<string>
  stop(signal?: NodeJS.Signals): Promise<Exit>
}

const started = new Map<Running, ChildProcess>()
const folders: string[] = []

afterAll(async () => {
  for (const [running, child] of started) {
    if (child.exitCode === null && child.signalCode === null) await killTree(running.pid)
  }
  for (const folder of folders) {
    for (const pid of await postgresServersBelow(folder)) await endPostgres(pid)
    await rm(folder, { recursive: true, force: true })
  }
})

/** Every setting is given, the unnamed ones empty: a .env file of the person running the tests changes nothing. */
export const onlySettings = (given: Settings): Settings => ({
  ...Object.fromEntries(Object.keys(settings).map((name) => [name, ''])),
  ...given,
})

export type StartOptions = Pick<SpawnOptions, 'cwd' | 'uid' | 'gid'> & { env?: Settings }

/** A child process with a clean environment. */
export function start(command: string, args: string[], { env = {}, ...options }: StartOptions = {}): Running {
  const home = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/' }
  const child = spawn(command, args, {
    cwd: checkout,
    ...options,
    env: { ...home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  let ended = false
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      ended = true
      resolve({ code, signal, stdout, stderr })
    })
  })
  // Whoever waits for the end hears of a command that could not be started; nobody may be waiting.
  exited.catch(() => {})
  const all = () => `\n--- standard output\n${stdout}\n--- standard error\n${stderr}`
  const running: Running = {
    pid: child.pid ?? Number.NaN,
    stdout: () => stdout,
    stderr: () => stderr,
    hasEnded: () => ended,
    exited,
    async waitFor(text) {
      await until(
        `${command} ${args.join(' ')} to print ${JSON.stringify(text)}`,
        () => ended || stdout.includes(text),
        all,
      )
      if (!stdout.includes(text)) throw new Error(`It ended without printing ${JSON.stringify(text)}.${all()}`)
      return stdout
    },
    async stop(signal = 'SIGINT') {
      child.kill(signal)
      await until(`${command} ${args.join(' ')} to end after ${signal}`, () => ended, all)
      return exited
    },
  }
  started.set(running, child)
  return running
}

/** Runs a command to its end. */
export async function run(command: string, args: string[], options: StartOptions = {}): Promise<Exit> {
  return start(command, args, options).exited
}

/** What npx runs. */
export const parley = (args: string[], env: Settings, options: StartOptions = {}): Promise<Exit> =>
  run(path.join(checkout, 'node_modules/.bin/parley'), args, { ...options, env: onlySettings(env) })

/** A file for `parley apply`, applied. */
export async function applyText(text: string, env: Settings): Promise<Exit> {
  const file = path.join(await makeFolder(), 'file.json')
  await writeFile(file, text)
  return parley(['apply', file], env)
}

export const apply = (file: unknown, env: Settings): Promise<Exit> => applyText(JSON.stringify(file), env)

export type Server = Running & { url: string; port: string }

/** `npm start`, without npm. */
export async function startServer(env: Settings, command = ['scripts/start.mjs'], options: StartOptions = {}) {
  const port = env.PORT ?? String(await freePort())
  const running = start(process.execPath, command, { ...options, env: onlySettings({ ...env, PORT: port }) })
  const server: Server = { ...running, port, url: `http://127.0.0.1:${port}` }
  return server
}

/** The same, and it is up. */
export async function startedServer(env: Settings, command?: string[], options?: StartOptions): Promise<Server> {
  const server = await startServer(env, command, options)
  await server.waitFor('Press Ctrl-C to stop.')
  return server
}

/** A folder the account PostgreSQL runs under can enter, removed at the end with all that runs in it. */
export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'parley-process-')))
  folders.push(folder)
  await chmod(folder, 0o755)
  return folder
}

export const makeDataDir = async (): Promise<string> => path.join(await makeFolder(), 'data')

/** Most stories are about a folder that has its database already, and making one takes a second. */
export async function copyDataDir(dataDir: string): Promise<string> {
  const copy = await makeDataDir()
  const copied = spawnSync('cp', ['-Rp', dataDir, copy], { encoding: 'utf8' })
  if (copied.status !== 0) throw new Error(copied.stderr)
  return copy
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** A connection string for the embedded database that runs in this data folder. */
export async function embeddedUrl(dataDir: string): Promise<string> {
  const password = (await readFile(path.join(dataDir, 'postgres.password'), 'utf8')).trim()
  const port = (await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[3]
  return `postgres://parley:${password}@127.0.0.1:${port}/parley`
}

export type Answer = { status: number; body: Record<string, unknown> }

/** One request with a key and, when there is one, a JSON body. */
export async function ask(url: string, key = '', body?: unknown): Promise<Answer> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

export type Demo = { key: string; hookUrl: string; email: string; password: string; curl: string; agentId: string }

/** What the first start prints, once. */
export function readDemo(stdout: string): Demo {
  const find = (pattern: RegExp) => pattern.exec(stdout)?.[1] ?? ''
  const demo = {
    key: find(/API key\s+(pk_[0-9A-Za-z]+)\n/),
    hookUrl: find(/Hook URL\s+(http:\S+\/v1\/hooks\/[0-9A-Za-z]+)\n/),
    email: find(/Sign in\s+(\S+@\S+)/),
    password: find(/password (\S+)\n/),
    curl: find(/^\s+(curl .+)$/m),
    agentId: find(/"agent_id":"(agt_[0-9a-z]+)"/),
  }
  expect(Object.entries(demo).filter(([, value]) => value === '')).toEqual([])
  return demo
}

const stack = /^\s+at .*[:(]/m

/** Standard error without the lines of a build that had become stale. */
export const complaints = ({ stderr }: Exit): string => stderr.replace(/^(Building|Installing) .*…\n/gm, '')

export function expectSuccess(exit: Exit): void {
  expect({ code: exit.code, signal: exit.signal, complaints: complaints(exit) }).toEqual({
    code: 0,
    signal: null,
    complaints: '',
  })
}

/** Refused in words a person can act on: exit code 1 and no stack. */
export function expectRefusal(exit: Exit, ...words: (string | RegExp)[]): void {
  expect.soft({ code: exit.code, signal: exit.signal }).toEqual({ code: 1, signal: null })
  expect.soft(exit.stderr).not.toMatch(stack)
  for (const each of words) expect.soft(exit.stderr).toMatch(each)
}

/** What a command printed: one JSON value, and none of it on standard error. */
export function readJson<T>(exit: Exit): T {
  expectSuccess(exit)
  expect(exit.stdout).toMatch(/^[{[].*[}\]]\n$/s)
  return JSON.parse(exit.stdout) as T
}
