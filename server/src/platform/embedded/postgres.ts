import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { OperatorError } from '../errors.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { codeOf } from './folder.ts'
import { type Launch, launchServer, readLogTail } from './launch.ts'
import { discardPidFile, lookForPostmaster, type Sighting, stopPostmaster } from './postmaster.ts'

export type EmbeddedPostgres = {
  /** postgres://parley:password@127.0.0.1:PORT/parley */
  url: string
  /** false when a running server (left by a crash, or another process's) was found and attached to */
  startedHere: boolean
  /** SIGINT: the fast, clean stop. Resolves when the process has gone; works for an attached one too. */
  stop(): Promise<void>
}

export type EmbeddedPostgresOptions = {
  dataDir: string
  settings?: Record<string, string>
  onNotice?: (message: string) => void
}

const startLimitMs = 60_000
const pollMs = 25
const doubtPolls = 40
const retryDelayMs = 300
const retries = 50
const connectLimitMs = 5_000

// Another start won the race, took our port, or children of a killed server have not gone yet.
const passing =
  /lock file "postmaster\.pid" (already exists|is empty)|Address already in use|pre-existing shared memory block/

/** Starts the PostgreSQL of a data folder, or attaches to it when it runs already. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(options.dataDir, options.onNotice ?? (() => {}))
  const limit = AbortSignal.timeout(startLimitMs)
  let launch: Launch | undefined
  let problem = ''
  let doubts = 0
  let attempts = 0
  try {
    while (!limit.aborted) {
      const seen = await lookForPostmaster(cluster.folder)
      if (seen.state === 'ready') {
        problem = await tryQuery(cluster, seen.port)
        if (!problem) return handleOf(cluster, seen, launch)
      }
      doubts = seen.state === 'doubtful' && !launch ? doubts + 1 : 0
      if (seen.state === 'doubtful' && doubts > doubtPolls) await discardPidFile(cluster.folder, seen.content)
      const failure = launch?.failure()
      if (launch && failure) {
        attempts += 1
        const another = 'pid' in seen && seen.pid !== launch.pid
        if (!another) await throwUnlessPassing(cluster, launch, failure, attempts)
        launch = undefined
        await sleep(retryDelayMs)
      } else if (!launch && seen.state === 'absent') {
        launch = await launchServer(cluster, options.settings ?? {})
      }
      await sleep(pollMs)
    }
  } catch (error) {
    // What we started and cannot hand over may not stay behind.
    if (launch?.pid) await stopPostmaster(cluster.folder, launch.pid, cluster.binaries).catch(() => {})
    throw error
  }
  // A server that is still recovering is left to it: ended now, it would begin again from the start.
  throw new OperatorError(
    `The database in ${cluster.folder} was not ready within ${startLimitMs / 1000} seconds. ${problem} If it is still ` +
      `recovering from a crash, start Parley again in a while. The end of ${cluster.logFile}:\n${await readLogTail(cluster.logFile)}`,
  )
}

function handleOf(
  cluster: Cluster,
  { pid, port }: Extract<Sighting, { pid: number }>,
  launch: Launch | undefined,
): EmbeddedPostgres {
  return {
    url: `postgres://parley:${cluster.password}@127.0.0.1:${port}/parley`,
    startedHere: launch?.pid === pid,
    stop: () => stopPostmaster(cluster.folder, pid, cluster.binaries),
  }
}

async function throwUnlessPassing(cluster: Cluster, launch: Launch, failure: string, attempts: number): Promise<void> {
  const tail = await readLogTail(cluster.logFile, launch.logStart)
  if (passing.test(tail) && attempts < retries) return
  throw new OperatorError(
    `The database in ${cluster.folder} does not start: ${failure}. The end of ${cluster.logFile}:\n${tail || '(nothing)'}`,
  )
}

/** Says what is wrong while a second attempt may do better; anything else is thrown. */
async function tryQuery(cluster: Cluster, port: number): Promise<string> {
  try {
    await query(cluster, port, 'parley', 'select 1')
    return ''
  } catch (error) {
    if (codeOf(error) === '3D000') await createDatabase(cluster, port)
    if (codeOf(error) !== '28P01') return `The last attempt to use it failed: ${(error as Error).message}.`
    throw new OperatorError(
      `The database in ${cluster.folder} does not accept the password that is in postgres.password in the data folder. ` +
        'Put the right file back.',
      { cause: error },
    )
  }
}

async function createDatabase(cluster: Cluster, port: number): Promise<void> {
  await query(cluster, port, 'postgres', 'create database parley').catch((error: unknown) => {
    // Another start made it at the same moment, or the server is going away again.
    if (/^(42P04|23505|57P0.|E[A-Z]+|)$/.test(codeOf(error))) return
    throw new OperatorError(
      `The database "parley" could not be made in ${cluster.folder}: ${(error as Error).message}`,
      {
        cause: error,
      },
    )
  })
}

async function query(cluster: Cluster, port: number, database: string, sql: string): Promise<void> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    database,
    user: 'parley',
    password: cluster.password,
    ssl: false,
    connectionTimeoutMillis: connectLimitMs,
    query_timeout: connectLimitMs,
  })
  // A server that goes away between two steps is reported by the steps themselves.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(sql)
  } finally {
    await client.end().catch(() => {})
  }
}
