import { appendFileSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { builtInBrain } from './adapters/brain/built-in.ts'
import { builtInAnalyst } from './adapters/brain/built-in-analysis.ts'
import { createLlmBrain } from './adapters/brain/llm.ts'
import { createLlmAnalyst } from './adapters/brain/llm-analysis.ts'
import { withFallback } from './adapters/brain/with-fallback.ts'
import { createSimulator } from './adapters/simulator/simulator.ts'
import { createSipTelephony } from './adapters/sip/telephony.ts'
import { createTrunkTester } from './adapters/sip/trunk-test.ts'
import { createLineSpeech } from './adapters/speech/line-speech.ts'
import { createSpeech } from './adapters/speech/speech.ts'
import { createFolderStorage } from './adapters/storage/folder.ts'
import { createS3Storage } from './adapters/storage/s3.ts'
import { createTwilio } from './adapters/twilio/twilio.ts'
import { openAllTrunks, openTrunk, trunksVersion } from './agents/trunks.service.ts'
import { createKeyVerifier } from './api-keys/api-keys.service.ts'
import { type AppDeps, buildApp } from './app.ts'
import { followZone } from './appointments/follow-zone.ts'
import { recordingSource, transcriptSource } from './calls/call-media.ts'
import { callCreation } from './calls/create-call.ts'
import type { Config } from './config.ts'
import { createMediaLinks } from './media/media-links.ts'
import { renderRecording } from './media/render-recording.ts'
import { createInboundFinder } from './organisations/organisations.service.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { createResolve } from './platform/dns.ts'
import type { Log } from './platform/log.ts'
import { createMetrics } from './platform/metrics.ts'
import { createRateLimiter } from './platform/rate-limit.ts'
import { addressPolicy } from './platform/safe-connector.ts'
import { createSafePost } from './platform/safe-post.ts'
import { resolveAll } from './platform/safe-url.ts'
import { openRuntime, type Runtime, serverFolder } from './runtime.ts'
import { createShareFinder } from './sharing/share-finder.ts'
import type { Brain, TextToSpeech } from './voice/ports.ts'
import { usualLimits } from './voice/turn.ts'
import { addressRulesOf } from './webhooks/endpoints.service.ts'
import { webhookHealth } from './webhooks/webhooks-worker.ts'
import { startWorkers, type WorkersDeps } from './workers.ts'

const signInsPerMinute = 20
// Rendering takes a few seconds for each minute of talk; a busy machine may take several times that.
const renderMsPerSecond = 300

/** Every part, put together. */
export function wire(config: Config, runtime: Runtime, log: Log, clock: Clock = systemClock): AppDeps & WorkersDeps {
  const { db, migrations } = runtime
  const storage = config.s3 ? createS3Storage(config.s3) : createFolderStorage(path.join(config.dataDir, 'media'))
  const speech = createSpeech()
  const recordings = recordingSource({
    db,
    storage,
    renderRecording: async (talk) =>
      renderRecording(talk, await speech(), AbortSignal.timeout(60_000 + talk.durationSeconds * renderMsPerSecond)),
  })
  return {
    ...callCreation({ db, clock, callDelayMs: config.callDelayMs }),
    ...brains(config, log),
    ...webhookParts(config, runtime, clock),
    migrations,
    log,
    storage,
    speak: async (text, language) => {
      const transcript = [{ speaker: 'agent' as const, text, timestamp: 0 }]
      return renderRecording({ transcript, durationSeconds: 0, language }, await speech(), AbortSignal.timeout(60_000))
    },
    roles: config.roles,
    metrics: createMetrics(() => webhookHealth(db)),
    ...createKeyVerifier(db, clock),
    findInbound: createInboundFinder(db),
    hookQuotas: config.hookQuotas,
    keyLimit: createRateLimiter(config.rateLimitPerMinute, clock),
    strangerLimit: createRateLimiter(config.rateLimitPerMinute, clock),
    loginLimit: createRateLimiter(signInsPerMinute, clock),
    mediaSources: { recordings, transcripts: transcriptSource(db) },
    ...carriers(config, runtime, log, speech),
    testTrunk: trunkTester(config, log),
    trunkHosts: { allowPrivate: config.sip.allowPrivate, resolve: createResolve() },
    openTrunk: (organisationId, trunkId) => openTrunk(runtime, organisationId, trunkId),
    limits: usualLimits,
    followZone: followZone(clock),
    ringSeconds: 30,
    dialMs: 30_000,
    analysisMs: 28_000,
    nodeCapacity: config.nodeCapacity,
    creditsPerMinute: config.creditsPerMinute,
    baseUrl: config.baseUrl,
    dashboardUrl: config.dashboardUrl,
    withDocsPage: true,
    publicFolder: path.join(serverFolder, 'public'),
    dashboardFolder: path.resolve(serverFolder, '../dashboard/dist'),
  }
}

/** What sending a webhook takes; commands that send one need no more. */
export function webhookParts(config: Config, { db, vault, secretKey }: Runtime, clock: Clock = systemClock) {
  const addressRules = addressRulesOf(config)
  return {
    db,
    clock,
    vault,
    addressRules,
    webhooks: config.webhooks,
    mediaLinks: createMediaLinks(secretKey, config.baseUrl),
    shares: createShareFinder({ db, secretKey, baseUrl: config.baseUrl }),
    safePost: createSafePost({
      refusalOf: addressPolicy(addressRules),
      // In development names may be of this machine's network only.
      resolve: config.webhooks.allowPrivate ? resolveAll : createResolve(),
      timeoutMs: config.webhooks.timeoutMs,
      ca: config.webhooks.caFile && readFileSync(config.webhooks.caFile, 'utf8'),
    }),
  }
}

/** The dial log is written before the dial goes on: what it does not hold was never dialled. */
function simulatorFor({ simulatorSpeed: speed, simulatorDialLog: file }: Config) {
  if (file === undefined) return createSimulator({ speed })
  return createSimulator({ speed, onDial: ({ callId, to }) => appendFileSync(file, `${callId} ${to}\n`) })
}

/** Who can place calls, and where those that talk HTTP come in. */
function carriers(config: Config, runtime: Runtime, log: Log, localVoice: () => Promise<TextToSpeech | null>) {
  const simulator = simulatorFor(config)
  const nowMs = () => performance.now()
  // Found when the first real line is opened; simulated calls need nothing of it.
  const speech = createLineSpeech({
    settings: config.speech,
    localVoice,
    nowMs,
    onFailure: (err) => log.warn({ err }, 'a speech service failed; what is local takes over where it can'),
    onMissing: (part) => log.warn({ part }, 'a part of speech is not installed'),
  })
  const { host, port, tlsPort, tls, publicAddress, allowPrivate, isSet } = config.sip
  const sip = createSipTelephony({
    listen: { host, udpPort: port, tcpPort: port, ...(tls ? { tlsPort, tls: readPair(tls) } : {}) },
    publicAddress,
    ca: authority(config),
    allowPrivate,
    rtpPorts: config.rtpPorts,
    trunks: () => openAllTrunks(runtime),
    version: () => trunksVersion(runtime.db),
    atOnce: isSet,
    speech,
    nowMs,
    log,
  })
  if (!config.twilio) return { telephony: { simulator, sip } }
  const twilio = createTwilio({ ...config.twilio, speech, nowMs })
  return { telephony: { simulator, sip, twilio }, carrierDoors: { twilio: twilio.door } }
}

const readPair = ({ certFile, keyFile }: { certFile: string; keyFile: string }) => ({
  cert: readFileSync(certFile, 'utf8'),
  key: readFileSync(keyFile, 'utf8'),
})
const authority = ({ sip: { caFile } }: Config) => (caFile ? readFileSync(caFile, 'utf8') : undefined)

/** Asks a carrier whether it would take our calls. */
export const trunkTester = (config: Config, log: Log) =>
  createTrunkTester({
    host: config.sip.host,
    publicAddress: config.sip.publicAddress,
    ca: authority(config),
    allowPrivate: config.sip.allowPrivate,
    hasCertificate: config.sip.tls !== undefined,
    log,
  })

/** A model when one is set, the built-in rules otherwise and whenever the model fails. */
function brains({ llm }: Config, log: Log): Pick<WorkersDeps, 'createBrain' | 'analyst'> {
  if (!llm) return { createBrain: () => builtInBrain, analyst: builtInAnalyst }
  const model = createLlmBrain(llm)
  const onFailure = (err: unknown) => log.warn({ err }, 'the model failed; the built-in rules took over')
  return {
    createBrain: (): Brain => withFallback(model, builtInBrain, onFailure),
    analyst: createLlmAnalyst(llm, builtInAnalyst, onFailure),
  }
}

export type RunningServer = { url: string; runtime: Runtime; stop(): Promise<void> }

export async function startServer(config: Config, log: Log, onNotice: (text: string) => void): Promise<RunningServer> {
  const runtime = await openRuntime(config, { as: 'server', onNotice })
  let app: FastifyInstance | undefined
  try {
    const parts = wire(config, runtime, log)
    app = await buildApp(parts)
    await app.listen({ host: config.host, port: config.port })
    const workers = await startWorkers(parts)
    const server = app
    return {
      url: config.baseUrlIsOwn ? ownUrl(server) : config.baseUrl,
      runtime,
      stop: async () => {
        // A call's sound may come over a websocket of this server, which closes when its call has ended.
        const closing = server.close()
        await workers.stop()
        await parts.safePost.close()
        await Promise.all(Object.values(parts.telephony).map((each) => each?.close()))
        await closing
        await runtime.close('server')
      },
    }
  } catch (error) {
    await app?.close()
    await runtime.close('failed')
    throw error
  }
}

function ownUrl(app: FastifyInstance): string {
  const address = app.server.address()
  if (address === null || typeof address === 'string') return String(address)
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
}
