import { type ChildProcess, spawn } from 'node:child_process'
import { constants, type FileHandle, open } from 'node:fs/promises'
import { createServer } from 'node:net'
import { OperatorError } from '../errors.ts'
import type { Cluster } from './cluster.ts'
import { processOptions } from './owner.ts'

const longestLogBytes = 10 * 1024 * 1024
const tailBytes = 4096
const tailLines = 20

const serverSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  effective_cache_size: '512MB',
  random_page_cost: '1.1',
  wal_compression: 'on',
  fsync: 'on',
  synchronous_commit: 'on',
  jit: 'off',
  // Parallel workers need /dev/shm, of which Docker gives 64 MB.
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Errors of statements quote values (phone numbers, names), and those never go into a log. The client gets them.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
}

export type Launch = { pid: number | undefined; logStart: number; failure(): string | undefined }

/** Starts the server in a session of its own, so that Ctrl-C in the terminal does not reach it. */
export async function launchServer(cluster: Cluster, settings: Record<string, string>): Promise<Launch> {
  const { postgres } = await cluster.binaries()
  const chosen = { ...serverSettings, port: String(await freePort()), ...settings }
  const args = Object.entries(chosen).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = await openLog(cluster)
  try {
    const logStart = (await log.stat()).size
    const child = spawn(postgres, ['-D', cluster.folder, ...args], {
      ...processOptions(cluster.owner),
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    })
    child.unref()
    return { pid: child.pid, logStart, failure: watch(child) }
  } finally {
    await log.close()
  }
}

function watch(child: ChildProcess): () => string | undefined {
  let failure: string | undefined
  child.once('error', (error) => {
    failure = error.message
  })
  child.once('exit', (code, signal) => {
    failure ??= signal ? `it was ended by ${signal}` : `it ended with code ${code}`
  })
  return () => failure
}

async function openLog({ logFile, owner }: Cluster): Promise<FileHandle> {
  try {
    // The data folder may belong to an ordinary user while we are root: no link of theirs leads our writing elsewhere.
    const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)
    const log = await open(logFile, flags, 0o600)
    if (owner) await log.chown(owner.uid, owner.gid)
    if ((await log.stat()).size > longestLogBytes) await log.truncate(0)
    return log
  } catch (cause) {
    throw new OperatorError(`The log of the database, ${logFile}, cannot be written: ${(cause as Error).message}`, {
      cause,
    })
  }
}

/** The last lines of the log, of those written since `start`. */
export async function readLogTail(logFile: string, start = 0): Promise<string> {
  const log = await open(logFile).catch(() => undefined)
  if (!log) return ''
  try {
    const { size } = await log.stat()
    const from = Math.max(size - tailBytes, start > size ? 0 : start)
    const { buffer, bytesRead } = await log.read(Buffer.alloc(size - from), 0, size - from, from)
    return buffer.toString('utf8', 0, bytesRead).trimEnd().split('\n').slice(-tailLines).join('\n')
  } finally {
    await log.close()
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
