import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll } from 'vitest'
import { whyMissing } from '../debian-packages.ts'
import { freePort } from './free-port.ts'

/** Why sipp is not there to test with; null when it is. */
export const whyNoSipp = (): string | null => whyMissing(['sip-tester'], ['/usr/bin/sipp'])

export type SippOptions = {
  scenario: string
  transport?: 'udp' | 'tcp' | 'tls'
  /** How many calls; then it stops by itself. */
  calls?: number
  /** Whom it calls; without, it waits to be called. */
  calling?: number
  tls?: { cert: string; key: string; ca: string }
  more?: readonly string[]
}
export type Sipp = {
  port: number
  /** Rejects with what sipp saw when a message was missing or not expected. */
  finished: Promise<void>
}

const modes = { udp: 'u1', tcp: 't1', tls: 'l1' } as const
const limitSeconds = 25
const running = new Set<ChildProcess>()
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
})

export async function startSipp(options: SippOptions): Promise<Sipp> {
  const { scenario, transport = 'udp', calls = 1, calling, tls, more = [] } = options
  const folder = mkdtempSync(join(tmpdir(), 'parley-sipp-'))
  const port = await freePort()
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const args = ['-sf', file('scenario.xml', scenario), '-i', '127.0.0.1', '-p', String(port), '-t', modes[transport]]
  args.push('-m', String(calls), '-nostdin', '-timeout', `${limitSeconds}s`, '-timeout_error', '-trace_err')
  args.push('-error_file', join(folder, 'errors'), '-trace_msg', '-message_file', join(folder, 'messages'), ...more)
  if (tls) args.push('-tls_cert', file('cert', tls.cert), '-tls_key', file('key', tls.key))
  if (calling !== undefined) args.push(`127.0.0.1:${calling}`)
  const child = spawn('sipp', args, { cwd: folder, stdio: 'ignore' })
  running.add(child)
  const finished = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      running.delete(child)
      const report = `${readIf(join(folder, 'errors'))}\n${readIf(join(folder, 'messages'))}`
      rmSync(folder, { recursive: true, force: true })
      if (code === 0) resolve()
      else reject(new Error(`sipp ended with ${code}:\n${report.slice(-12_000)}`))
    })
  })
  finished.catch(() => {})
  if (calling === undefined) await listening(port, transport, child)
  return { port, finished }
}

function readIf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The kernel's own table says when it listens. */
export async function listening(port: number, transport: 'udp' | 'tcp' | 'tls', child: ChildProcess): Promise<void> {
  const entry = `:${port.toString(16).toUpperCase().padStart(4, '0')} `
  const table = `/proc/net/${transport === 'udp' ? 'udp' : 'tcp'}`
  for (let tries = 0; tries < 500; tries += 1) {
    const isThere = readFileSync(table, 'utf8')
      .split('\n')
      .some((line) => (line.trim().split(/\s+/)[1] ?? '').concat(' ').endsWith(entry))
    if (isThere) return
    if (child.exitCode !== null) return
    await sleep(10)
  }
  throw new Error(`Nobody listens on port ${port}.`)
}
