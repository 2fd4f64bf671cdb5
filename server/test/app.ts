import { rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Call } from '@parley/contract/calls'
import type { Scope } from '@parley/contract/scopes'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { createApiKey } from '../src/api-keys/api-keys.service.ts'
import { buildApp, type HttpLimits } from '../src/app.ts'
import { applyFile } from '../src/cli/apply.ts'
import type { ApplyFile } from '../src/cli/apply-file.ts'
import { parseConfig } from '../src/config.ts'
import { wire } from '../src/main.ts'
import type { Storage } from '../src/media/ports.ts'
import type { Clock } from '../src/platform/clock.ts'
import type { Database } from '../src/platform/db.ts'
import { createLog } from '../src/platform/log.ts'
import { readMigrations } from '../src/platform/migrate.ts'
import { createVault, randomToken } from '../src/platform/secrets.ts'
import { startWorkers, type WorkersDeps } from '../src/workers.ts'
import { atEnd } from './at-end.ts'
import { createTestDatabase } from './database.ts'

export type TestClock = Clock & { set(text: string): void; advance(ms: number): void }

/** Stands still until told otherwise. */
export function testClock(start = new Date()): TestClock {
  let now = start
  return {
    now: () => now,
    set: (text) => {
      now = new Date(text)
    },
    advance: (ms) => {
      now = new Date(now.getTime() + ms)
    },
  }
}

export type Organisation = Awaited<ReturnType<typeof applyFile>> & {
  organisationId: string
  key: string
  agentId: string
}
export type TestApp = {
  app: FastifyInstance
  db: Database
  dataDir: string
  storage: Storage
  logLines: string[]
  stopWorkers(): Promise<void>
  /** Asks until the call is as wanted. */
  untilCall(key: string, callId: string, isThere: (call: Call) => boolean): Promise<Call>
  /** A new organisation with one agent, one number and one key for everything; `file` adds or replaces. */
  organisation(file?: Partial<ApplyFile>): Promise<Organisation>
  keyWith(organisationId: string, scopes: (Scope | '*')[]): Promise<string>
  /** A request with a key and, when there is one, a JSON body. */
  send(
    key: string,
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    body?: unknown,
    headers?: object,
  ): SendResult
}
type SendResult = Promise<LightMyRequestResponse>

export type TestAppOptions = {
  settings?: Record<string, string>
  clock?: Clock
  httpLimits?: HttpLimits
  withDocsPage?: boolean
  heartbeatMs?: number
  /** Calls happen: the dispatcher runs, with these parts in place of the usual ones. */
  workers?: Partial<WorkersDeps>
  database?: { db: Database; url: string }
}

export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { db, url } = options.database ?? (await createTestDatabase())
  const logLines: string[] = []
  const log = createLog('debug', { write: (line) => void logLines.push(line) })
  const secretKey = 'secret for tests only'
  const vault = createVault(secretKey)
  // Made by whoever writes into it first.
  const dataDir = path.join(os.tmpdir(), `parley-data-${randomToken(8)}`)
  atEnd(() => rmSync(dataDir, { recursive: true, force: true }))
  const config = parseConfig({
    DATABASE_URL: url,
    PARLEY_SECRET_KEY: secretKey,
    PARLEY_DATA_DIR: dataDir,
    ...(options.workers ? { PARLEY_SIMULATOR_SPEED: '2000', PARLEY_CALL_DELAY: '0s' } : {}),
    ...options.settings,
  })
  const runtime = {
    db,
    vault,
    secretKey,
    migrations: readMigrations('server/migrations'),
    embedded: false,
    close: async () => {},
  }
  const deps = wire(config, runtime, log, options.clock)
  const { httpLimits, heartbeatMs, withDocsPage = false } = options
  const app = await buildApp({
    ...deps,
    withDocsPage,
    ...(httpLimits ? { httpLimits } : {}),
    ...(heartbeatMs ? { heartbeatMs } : {}),
  })
  const workers = options.workers ? await startWorkers({ ...deps, ...options.workers }) : null
  atEnd(async () => {
    await workers?.stop()
    await Promise.all(Object.values(deps.telephony).map((each) => each?.close()))
    await app.close()
  })
  return {
    app,
    db,
    dataDir,
    storage: deps.storage,
    logLines,
    stopWorkers: async () => workers?.stop(),
    untilCall: async (key, callId, isThere) => {
      for (let waited = 0; waited < 60_000; waited += 50) {
        const response = await app.inject({ url: `/v1/calls/${callId}`, headers: { 'x-api-key': key } })
        const call = response.json().data as Call
        if (isThere(call)) return call
        await sleep(50)
      }
      throw new Error(`call ${callId} did not get there within a minute`)
    },
    organisation: async (file = {}) => {
      const made = await applyFile({ db, vault }, { ...usualFile, ...file }, config)
      return {
        ...made,
        organisationId: made.organisation.organisation_id,
        key: made.api_keys[0]?.key ?? '',
        agentId: made.agents[0]?.agent_id ?? '',
      }
    },
    keyWith: (organisationId, scopes) =>
      db.transaction(async (tx) => {
        const { key } = await createApiKey(tx, organisationId, { name: 'test', scopes, expiresAt: null })
        return key
      }),
    send: (key, method, url, body, headers = {}) => {
      const request: InjectOptions = {
        method,
        url,
        headers: {
          'x-api-key': key,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
      }
      if (body !== undefined) request.payload = typeof body === 'string' ? body : JSON.stringify(body)
      return app.inject(request)
    },
  }
}

const usualFile: ApplyFile = {
  organisation: { name: 'Acme Clinic', plan: 'professional', credits: 100 },
  phone_numbers: [{ number: '+15005550000' }],
  agents: [{ name: 'Asha', number: '+15005550000' }],
  api_keys: [{ name: 'all', scopes: ['*'] }],
}
