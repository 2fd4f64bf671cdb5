import type { HookBody } from '@parley/contract/hooks'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { InboundOrganisation } from '../organisations/organisation.ts'
import type { FindInbound } from '../organisations/organisations.service.ts'
import type { Clock } from '../platform/clock.ts'
import { fault, ParleyError, validationError } from '../platform/errors.ts'
import { readJson } from '../platform/http-body.ts'
import { enforceRate } from '../platform/http-rate-limit.ts'
import { claimFor, type IdempotencyClaim } from '../platform/idempotency.ts'
import type { Log } from '../platform/log.ts'
import type { RateLimiter } from '../platform/rate-limit.ts'
import type { Vault } from '../platform/secrets.ts'
import { type AdmissionDeps, admitRequest, quotaHeaders } from './admit-request.ts'
import { recordRequest } from './hooks.service.ts'
import { recordOf } from './request-record.ts'
import { requireSignature } from './signature.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on the hook as soon as its token is known to be good. */
    hook: HookState | null
  }
}

export type HookState = {
  organisation: InboundOrganisation
  at: Date
  claim: IdempotencyClaim | null
  /** Of the signed request that this one is the first of. */
  firstDigest: string | null
}
export type HookGuardDeps = AdmissionDeps & {
  findInbound: FindInbound
  strangerLimit: RateLimiter
  vault: Vault
  clock: Clock
  log: Log
}

export const invalidToken = () => new ParleyError('INVALID_TOKEN', 'The token in this URL is not valid.')

/** A good token is never held up by somebody else's bad ones: behind one address there may be many (decisions 2). */
export function refuseToken({ strangerLimit }: HookGuardDeps, request: FastifyRequest, reply: FastifyReply): never {
  enforceRate(reply, strangerLimit, request.ip)
  throw invalidToken()
}

/** Before the body is read: who has no token makes us read nothing. */
export const identify = (deps: HookGuardDeps) => async (request: FastifyRequest, reply: FastifyReply) => {
  const organisation = await findOrganisation(deps, request, reply)
  request.hook = { organisation, at: deps.clock.now(), claim: null, firstDigest: null }
}

async function findOrganisation(deps: HookGuardDeps, request: FastifyRequest, reply: FastifyReply) {
  const { secret_token: token } = request.params as { secret_token: string }
  return (await deps.findInbound(token)) ?? refuseToken(deps, request, reply)
}

/** After the body is read, before it is understood: signature, replay, quota. Only then is a fault in it told. */
export const admit = (deps: HookGuardDeps) => async (request: FastifyRequest, reply: FastifyReply) => {
  const hook = stateOf(request)
  // A body may take half a minute to arrive; token and signing are those of now.
  hook.organisation = await findOrganisation(deps, request, reply)
  const { organisationId, plan } = hook.organisation
  const digest = hook.organisation.signing ? verify(deps, request, reply) : null
  const read = readRequest(request, organisationId)
  request.body = read.body
  const { isFirst, ...quota } = await admitRequest(deps, { organisationId, plan, digest, claim: read.claim })
  if (isFirst) hook.firstDigest = digest
  reply.headers(quotaHeaders(quota))
  hook.claim = read.claim
  if (read.refusal) throw read.refusal
}

export function stateOf({ hook }: FastifyRequest): HookState {
  if (!hook) throw new Error('A hook request was served before its token was looked up.')
  return hook
}

/** Somebody with the address but without the secret is a stranger too, and slowed down like one. */
function verify({ vault, clock, strangerLimit }: HookGuardDeps, request: FastifyRequest, reply: FastifyReply): string {
  const { organisationId, sealedSigningSecret } = stateOf(request).organisation
  const { 'x-inbound-timestamp': timestamp, 'x-inbound-signature': signature } = request.headers
  const secret = vault.open(sealedSigningSecret)
  const signed = { organisationId, rawBody: request.rawBody, secret, now: clock.now() }
  try {
    return requireSignature({ timestamp, signature }, signed)
  } catch (refusal) {
    enforceRate(reply, strangerLimit, request.ip)
    throw refusal
  }
}

type ReadRequest = { body: unknown; claim: IdempotencyClaim | null; refusal: unknown }

/** A request that cannot be understood still counts, so its fault is kept for later. */
function readRequest(request: FastifyRequest, organisationId: string): ReadRequest {
  const { headers, rawBody } = request
  let body: unknown
  try {
    body = readJson(request, rawBody)
    const key = idempotencyKeyOf(headers['idempotency-key'], body)
    return { body, claim: claimFor({ organisationId, route: 'POST /v1/hooks' }, key, rawBody), refusal: null }
  } catch (refusal) {
    return { body, claim: null, refusal }
  }
}

/** Header or field; a field that cannot be a key is told by the schema, with whatever else is wrong. */
function idempotencyKeyOf(header: unknown, body: unknown): unknown {
  const key = (body as Partial<HookBody> | null | undefined)?.data?.idempotency_key
  if (typeof key !== 'string' || !/^[!-~]{1,255}$/.test(key)) return header
  if (header !== undefined && header !== key) {
    const message = 'The Idempotency-Key header says otherwise. Send one of them.'
    throw validationError([fault('data.idempotency_key', 'conflict', message)])
  }
  return key
}

/** Written before the answer leaves, so that whoever has the answer finds the request in the list. */
export const record = (deps: HookGuardDeps) => async (request: FastifyRequest, reply: FastifyReply, text: unknown) => {
  if (!request.hook) return text
  const { organisation, at, firstDigest } = request.hook
  const answered = {
    requestId: request.id,
    at,
    replayed: reply.hasHeader('idempotent-replayed'),
    ...(isBrokenOff(request) ? brokenOff : { status: reply.statusCode, text: String(text) }),
  }
  const recorded = recordRequest(
    deps.db,
    organisation.organisationId,
    recordOf(request.body, answered),
    firstDigest,
  ).catch((err: unknown) => {
    // The answer stands, whether or not it could be written down.
    deps.log.warn({ request_id: request.id, err }, 'a hook request was not recorded')
  })
  // While the database is away there is no sense in waiting for it twice.
  if (answered.status !== 503) await recorded
  return text
}

const brokenOff = {
  status: 408,
  text: JSON.stringify({
    error: { code: 'REQUEST_TIMEOUT', message: 'The body did not arrive whole.', details: [] },
  }),
}

/** Too slow, or the sender has gone: whatever is answered here does not arrive. */
const isBrokenOff = ({ raw }: FastifyRequest): boolean => raw.errored !== null && !raw.complete
