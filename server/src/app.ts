import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance } from 'fastify'
import { type AgentVoiceRoutesDeps, agentVoiceRoutes } from './agents/agent-voice.routes.ts'
import { type AgentsRoutesDeps, agentsRoutes } from './agents/agents.routes.ts'
import { type TrunksRoutesDeps, trunksRoutes } from './agents/trunks.routes.ts'
import { type AccessDeps, guardRoutes } from './api-keys/access.routes.ts'
import { type ApiKeysRoutesDeps, apiKeysRoutes } from './api-keys/api-keys.routes.ts'
import { openApiToSessions } from './api-keys/session-access.routes.ts'
import { type AppointmentsRoutesDeps, appointmentsRoutes } from './appointments/appointments.routes.ts'
import { appointmentConfigurationRoutes } from './appointments/configuration.routes.ts'
import { type FeedRoutesDeps, feedRoutes } from './appointments/feed.routes.ts'
import { type FeedSettingsRoutesDeps, feedSettingsRoutes } from './appointments/feed-settings.routes.ts'
import { type BranchSettingsRoutesDeps, branchSettingsRoutes } from './branches/settings.routes.ts'
import { type CallTurnsRoutesDeps, callTurnsRoutes } from './calls/call-turns.routes.ts'
import { type CallsRoutesDeps, callsRoutes } from './calls/calls.routes.ts'
import { type DoNotCallRoutesDeps, doNotCallRoutes } from './calls/do-not-call.routes.ts'
import { type FindCallsRoutesDeps, findCallsRoutes } from './calls/find-calls.routes.ts'
import { type HomeRoutesDeps, homeRoutes } from './calls/home.routes.ts'
import { type ManageCallsRoutesDeps, manageCallsRoutes } from './calls/manage-calls.routes.ts'
import { type SharedCallRoutesDeps, sharedCallRoutes } from './calls/shared-call.routes.ts'
import { tryAgentRoutes } from './calls/try-agent.routes.ts'
import { type CreditsRoutesDeps, creditsRoutes } from './credits/credits.routes.ts'
import { callRequestsRoutes } from './hooks/call-requests.routes.ts'
import { type HookSettingsRoutesDeps, hookSettingsRoutes } from './hooks/hook-settings.routes.ts'
import { type HooksRoutesDeps, hooksRoutes, unreadableToken } from './hooks/hooks.routes.ts'
import { type UsageRoutesDeps, usageRoutes } from './hooks/usage.routes.ts'
import { type MediaRoutesDeps, mediaRoutes } from './media/media.routes.ts'
import { accountRoutes } from './organisations/account.routes.ts'
import { type ChangesRoutesDeps, changesRoutes } from './organisations/changes.routes.ts'
import { invitationRoutes } from './organisations/invitations.routes.ts'
import { guardDashboard } from './organisations/session-guard.routes.ts'
import { type SessionRoutesDeps, sessionRoutes } from './organisations/sessions.routes.ts'
import { type SettingsRoutesDeps, settingsRoutes } from './organisations/settings.routes.ts'
import { type TeamRoutesDeps, teamRoutes } from './organisations/team.routes.ts'
import { ParleyError } from './platform/errors.ts'
import { bodyLimitBytes, parseBodies } from './platform/http-body.ts'
import { type CarrierDoors, carrierRoutes } from './platform/http-carriers.ts'
import { closeInTime } from './platform/http-closing.ts'
import { dashboardRoutes } from './platform/http-dashboard.ts'
import { documentRoutes } from './platform/http-docs.ts'
import { answerBrokenRequest, createErrorSender, handleErrors } from './platform/http-errors.ts'
import { answerWrongMethods } from './platform/http-methods.ts'
import { observe, observeRequests, type SystemDeps, systemRoutes } from './platform/http-system.ts'
import { validateRequests } from './platform/http-validation.ts'
import { newId } from './platform/ids.ts'
import type { Log } from './platform/log.ts'
import { type ShareSettingsRoutesDeps, shareSettingsRoutes } from './sharing/share-settings.routes.ts'
import { type SlotDatesRoutesDeps, slotDatesRoutes } from './slots/slot-dates.routes.ts'
import { type SlotsRoutesDeps, slotsRoutes } from './slots/slots.routes.ts'
import { type DeliveriesRoutesDeps, deliveriesRoutes } from './webhooks/deliveries.routes.ts'
import { type EventStreamDeps, eventStreamRoutes } from './webhooks/event-stream.routes.ts'
import { type WebhooksRoutesDeps, webhooksRoutes } from './webhooks/webhooks.routes.ts'

export type HttpLimits = { headersTimeoutMs: number; requestTimeoutMs: number; closingGraceMs?: number }
export const usualHttpLimits: HttpLimits = { headersTimeoutMs: 10_000, requestTimeoutMs: 30_000 }
/** What a request under way has left when the server stops. */
const usualClosingGraceMs = 5_000

export type AppDeps = SystemDeps &
  AccessDeps &
  ApiKeysRoutesDeps &
  CallsRoutesDeps &
  FindCallsRoutesDeps &
  ManageCallsRoutesDeps &
  SharedCallRoutesDeps &
  SlotsRoutesDeps &
  SlotDatesRoutesDeps &
  AppointmentsRoutesDeps &
  FeedRoutesDeps &
  FeedSettingsRoutesDeps &
  BranchSettingsRoutesDeps &
  HooksRoutesDeps &
  HookSettingsRoutesDeps &
  MediaRoutesDeps &
  WebhooksRoutesDeps &
  DeliveriesRoutesDeps &
  EventStreamDeps &
  ChangesRoutesDeps &
  TeamRoutesDeps &
  SettingsRoutesDeps &
  AgentsRoutesDeps &
  AgentVoiceRoutesDeps &
  CreditsRoutesDeps &
  ShareSettingsRoutesDeps &
  DoNotCallRoutesDeps &
  HomeRoutesDeps &
  UsageRoutesDeps &
  TrunksRoutesDeps &
  CallTurnsRoutesDeps &
  SessionRoutesDeps & {
    log: Log
    dashboardFolder: string
    withDocsPage: boolean
    httpLimits?: HttpLimits
    carrierDoors?: CarrierDoors
  }

/** Everything HTTP, and nothing that listens: tests inject requests, main opens the port. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const limits = deps.httpLimits ?? usualHttpLimits
  const sendError = createErrorSender(deps)
  const app: FastifyInstance = Fastify({
    // Requests are logged by observeRequests, with what may be logged; the framework's own logging would only cost time.
    logger: false,
    genReqId: () => newId('request'),
    bodyLimit: bodyLimitBytes,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    http: {
      headersTimeout: limits.headersTimeoutMs,
      // Node would answer these two by itself, without our error body and request id.
      requireHostHeader: false,
      // How often Node looks for clients that are too slow.
      connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs),
    },
    routerOptions: { maxParamLength: 16_384 },
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) =>
      void sendError(unreadableToken(request.raw.method, request.raw.url) ?? error, request, reply),
  })

  closeInTime(app, limits.closingGraceMs ?? usualClosingGraceMs)
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))

  // Hooks that need not wait take a callback: a promise for each of them, on every request, would cost time.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    // Nobody keeps the answer to a POST anyway.
    if (request.method !== 'POST') reply.header('cache-control', 'no-store')
    const lacksHost = request.raw.httpVersion === '1.1' && request.headers.host === undefined
    done(lacksHost ? new ParleyError('VALIDATION_ERROR', 'HTTP/1.1 requests need a Host header.') : undefined)
  })
  observeRequests(app, deps)
  parseBodies(app)
  validateRequests(app, deps.clock)
  guardRoutes(app, deps)
  const wrongMethods = answerWrongMethods(app)
  handleErrors(app, sendError, { onUnknown: observe(deps, 'unknown'), wrongMethods })

  await documentRoutes(app, { baseUrl: deps.baseUrl, withPage: deps.withDocsPage })
  systemRoutes(app, deps)
  // Only the dashboard has cookies; nobody else pays for reading them.
  await app.register(async (dashboard) => {
    await dashboard.register(cookie)
    guardDashboard(dashboard, deps)
    sessionRoutes(dashboard, deps)
    invitationRoutes(dashboard, deps)
    accountRoutes(dashboard, deps)
    teamRoutes(dashboard, deps)
    settingsRoutes(dashboard, deps)
    creditsRoutes(dashboard, deps)
    shareSettingsRoutes(dashboard, deps)
    agentsRoutes(dashboard, deps)
    agentVoiceRoutes(dashboard, deps)
    tryAgentRoutes(dashboard, deps)
    doNotCallRoutes(dashboard, deps)
    homeRoutes(dashboard, deps)
    usageRoutes(dashboard, deps)
    webhooksRoutes(dashboard, deps)
    deliveriesRoutes(dashboard, deps)
    hookSettingsRoutes(dashboard, deps)
    apiKeysRoutes(dashboard, deps)
    changesRoutes(dashboard, deps)
    branchSettingsRoutes(dashboard, deps)
    feedSettingsRoutes(dashboard, deps)
    findCallsRoutes(dashboard, deps)
    manageCallsRoutes(dashboard, deps)
    callRequestsRoutes(dashboard, deps)
    trunksRoutes(dashboard, deps)
    callTurnsRoutes(dashboard, deps)
    await dashboard.register(
      async (api) => {
        openApiToSessions(api, deps)
        guardDashboard(api, deps)
        publicRoutes(api, deps)
      },
      { prefix: '/api' },
    )
  })
  publicRoutes(app, deps)
  await app.register(async (scope) => hooksRoutes(scope, deps))
  feedRoutes(app, deps)
  mediaRoutes(app, deps)
  await app.register(async (scope) => sharedCallRoutes(scope, deps))
  eventStreamRoutes(app, deps)
  await carrierRoutes(app, deps.carrierDoors ?? {})
  await dashboardRoutes(app, deps.dashboardFolder, deps.log)
  wrongMethods.close()
  return app
}

/** What a key may ask for, and, under /api, whoever is signed in. */
function publicRoutes(app: FastifyInstance, deps: AppDeps): void {
  callsRoutes(app, deps)
  slotsRoutes(app, deps)
  slotDatesRoutes(app, deps)
  appointmentConfigurationRoutes(app, deps)
  appointmentsRoutes(app, deps)
}
