import { randomBytes } from 'node:crypto'
import { link, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from '../errors.ts'
import type { Binaries } from './binaries.ts'
import { codeOf } from './folder.ts'
import { runAs } from './owner.ts'

/**
 * What postmaster.pid says, checked against the living processes. `doubtful`: the file is empty or names a process that
 * is not this cluster's server; PostgreSQL would refuse to start because of it.
 */
export type Sighting =
  | { state: 'absent' }
  | { state: 'doubtful'; content: string }
  | { state: 'starting' | 'ready' | 'stopping'; pid: number; port: number }

const pollMs = 25
const fastStopMs = 60_000
const immediateStopMs = 10_000
const commandLineLimitMs = 10_000

export async function lookForPostmaster(folder: string): Promise<Sighting> {
  const content = await readFile(path.join(folder, 'postmaster.pid'), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (content === undefined) return { state: 'absent' }
  const lines = content.split('\n')
  // A server in single-user mode writes its pid with a minus.
  const pid = Math.abs(Number(lines[0]?.trim()))
  if (!Number.isInteger(pid) || pid === 0) return { state: 'doubtful', content }
  if (!isAlive(pid)) return { state: 'absent' }
  if (!(await isServerOf(folder, pid))) return { state: 'doubtful', content }
  const status = lines[7]?.trim()
  const state = status === 'ready' ? 'ready' : status === 'stopping' ? 'stopping' : 'starting'
  return { state, pid, port: Number(lines[3]?.trim()) }
}

/** Takes the file away only if it still says what was judged: another starter may have replaced it meanwhile. */
export async function discardPidFile(folder: string, judged: string): Promise<void> {
  const file = path.join(folder, 'postmaster.pid')
  const aside = `${file}.${randomBytes(6).toString('hex')}`
  try {
    await rename(file, aside)
    if ((await readFile(aside, 'utf8')) !== judged) await link(aside, file)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'EEXIST') throw error
  } finally {
    await rm(aside, { force: true })
  }
}

/** SIGINT is the fast, clean stop; SIGQUIT leaves a recovery to the next start and is the last resort. */
export async function stopPostmaster(folder: string, pid: number, binaries: () => Promise<Binaries>): Promise<void> {
  const steps = [
    { signal: 'SIGINT', waitMs: fastStopMs },
    { signal: 'SIGQUIT', waitMs: immediateStopMs },
  ] as const
  for (const { signal, waitMs } of steps) {
    const limit = AbortSignal.timeout(waitMs)
    for (let sent = false; !limit.aborted; await sleep(pollMs)) {
      if (!isAlive(pid) || !(await isServerOf(folder, pid))) return
      if (!sent) await sendSignal(pid, signal, binaries)
      sent = true
    }
  }
  throw new OperatorError(`The database in ${folder} (process ${pid}) does not stop.`)
}

async function sendSignal(pid: number, signal: 'SIGINT' | 'SIGQUIT', binaries: () => Promise<Binaries>): Promise<void> {
  // Windows knows no signals: process.kill would end the server without a checkpoint.
  if (process.platform === 'win32') {
    const pgCtl = path.join(path.dirname((await binaries()).postgres), 'pg_ctl.exe')
    await runAs(undefined, pgCtl, ['kill', signal.slice(3), String(pid)], commandLineLimitMs)
    return
  }
  try {
    process.kill(pid, signal)
  } catch (cause) {
    if (codeOf(cause) === 'ESRCH') return
    throw new OperatorError(
      `The database (process ${pid}) belongs to another user and cannot be stopped by this one.`,
      {
        cause,
      },
    )
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** A pid may have been given to something else since; a zombie has no command line and counts as gone. */
async function isServerOf(folder: string, pid: number): Promise<boolean> {
  if (process.platform === 'linux') {
    const [program, ...args] = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
    return path.basename(program ?? '') === 'postgres' && args.includes(folder)
  }
  const [program, ...args] =
    process.platform === 'win32'
      ? [
          'powershell',
          '-NoProfile',
          '-Command',
          `(Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}').CommandLine`,
        ]
      : ['ps', '-ww', '-o', 'command=', '-p', String(pid)]
  const { ok, output } = await runAs(undefined, program as string, args, commandLineLimitMs)
  const line = `${output.replaceAll('"', '')} `
  return ok && /postgres(\.exe)? -/.test(line) && line.includes(` -D ${folder} `)
}
