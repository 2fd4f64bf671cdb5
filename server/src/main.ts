import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createKeyVerifier } from './api-keys/api-keys.service.ts'
import { type AppDeps, buildApp } from './app.ts'
import { callCreation } from './calls/create-call.ts'
import type { Config } from './config.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import type { Log } from './platform/log.ts'
import { createMetrics } from './platform/metrics.ts'
import { createRateLimiter } from './platform/rate-limit.ts'
import { openRuntime, type Runtime, serverFolder } from './runtime.ts'
import { startWorkers } from './workers.ts'

const signInsPerMinute = 20

/** Every part, put together. */
export function wire(config: Config, runtime: Runtime, log: Log, clock: Clock = systemClock): AppDeps {
  const { db, migrations } = runtime
  return {
    ...callCreation({ db, clock, callDelayMs: config.callDelayMs }),
    db,
    migrations,
    log,
    metrics: createMetrics(),
    verifyKey: createKeyVerifier(db),
    keyLimit: createRateLimiter(config.rateLimitPerMinute, clock),
    strangerLimit: createRateLimiter(config.rateLimitPerMinute, clock),
    loginLimit: createRateLimiter(signInsPerMinute, clock),
    baseUrl: config.baseUrl,
    dashboardUrl: config.dashboardUrl,
    withDocsPage: true,
    dashboardFolder: path.resolve(serverFolder, '../dashboard/dist'),
  }
}

export type RunningServer = { url: string; runtime: Runtime; stop(): Promise<void> }

export async function startServer(config: Config, log: Log, onNotice: (text: string) => void): Promise<RunningServer> {
  const runtime = await openRuntime(config, { as: 'server', onNotice })
  let app: FastifyInstance | undefined
  try {
    app = await buildApp(wire(config, runtime, log))
    await app.listen({ host: config.host, port: config.port })
  } catch (error) {
    await app?.close()
    await runtime.close('failed')
    throw error
  }
  const workers = startWorkers({ db: runtime.db, log })
  const server = app
  return {
    url: config.baseUrlIsOwn ? ownUrl(server) : config.baseUrl,
    runtime,
    stop: async () => {
      await server.close()
      await workers.stop()
      await runtime.close('server')
    },
  }
}

function ownUrl(app: FastifyInstance): string {
  const address = app.server.address()
  if (address === null || typeof address === 'string') return String(address)
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
}
