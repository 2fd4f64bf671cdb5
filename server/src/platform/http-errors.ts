import type { Socket } from 'node:net'
import type { ErrorBody, ErrorCode } from '@parley/contract/errors'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ParleyError } from './errors.ts'
import type { WrongMethods } from './http-methods.ts'
import { tellRate } from './http-rate-limit.ts'
import './http-types.ts'
import { newId } from './ids.ts'
import type { Log } from './log.ts'
import type { RateLimiter } from './rate-limit.ts'

/** One error, two tables: what a code means on the API and, where it differs, on the hook (decisions 1). */
const apiStatuses: Record<ErrorCode, number> = {
  VALIDATION_ERROR: 400,
  AGENT_NOT_CALLABLE: 400,
  UNAUTHENTICATED: 401,
  INVALID_TOKEN: 401,
  INVALID_SIGNATURE: 401,
  INSUFFICIENT_CREDITS: 402,
  INSUFFICIENT_SCOPE: 403,
  FORBIDDEN: 403,
  PLAN_LIMIT_REACHED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CALL_NOT_CANCELLABLE: 409,
  SLOT_FULL: 409,
  AI_QUOTA_EXHAUSTED: 409,
  SLOT_CLOSED: 409,
  SLOT_IN_PAST: 409,
  ALREADY_BOOKED: 409,
  CAPACITY_BELOW_BOOKED: 409,
  APPOINTMENT_STATUS_CONFLICT: 409,
  ENDPOINT_DISABLED: 409,
  LAST_OWNER: 409,
  IN_USE: 409,
  LINK_EXPIRED: 410,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RANGE_NOT_SATISFIABLE: 416,
  INVALID_PHONE_NUMBER: 422,
  UNSUPPORTED_COUNTRY: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMITED: 429,
  DAILY_QUOTA_EXCEEDED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL: 500,
  UNAVAILABLE: 503,
}
const hookStatuses: Partial<Record<ErrorCode, number>> = { INVALID_PHONE_NUMBER: 400, UNSUPPORTED_COUNTRY: 400 }

const frameworkCodes: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['PAYLOAD_TOO_LARGE', 'The body is larger than 256 KiB.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['VALIDATION_ERROR', 'The body is not as long as Content-Length says.'],
  FST_ERR_BAD_URL: ['VALIDATION_ERROR', 'The URL is not valid.'],
}

function toParleyError(error: unknown): ParleyError {
  if (error instanceof ParleyError) return error
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>
  const known = frameworkCodes[code]
  if (known) return new ParleyError(...known)
  if (statusCode >= 400 && statusCode < 500) return new ParleyError('VALIDATION_ERROR', 'The request is not valid.')
  return new ParleyError('INTERNAL', 'Something went wrong on our side. Quote the request id when you tell us.')
}

const bodyOf = (error: ParleyError, requestId: string): ErrorBody => ({
  success: false,
  error: {
    code: error.code,
    message: error.message,
    details: error.details,
    request_id: requestId,
    ...(error.alternatives ? { alternatives: error.alternatives } : {}),
  },
})

type OnResponse = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void

/** `onUnknown` observes requests that found no route: they have no route's hooks. */
export function handleErrors(
  app: FastifyInstance,
  sendError: SendError,
  { onUnknown, wrongMethods }: { onUnknown: OnResponse; wrongMethods: WrongMethods },
): void {
  app.setErrorHandler((thrown, request, reply) => {
    if (!request.isRecalled) return sendError(thrown, request, reply)
    const send = (error: unknown) => sendError(error, request, reply)
    return request.recheckKey(reply).then(() => send(thrown), send)
  })
  app.setNotFoundHandler((request, reply) => {
    reply.raw.once('finish', () => onUnknown(request, reply, () => {}))
    const [path = ''] = request.url.split('?')
    const nothing = new ParleyError('NOT_FOUND', 'There is nothing at this address.')
    return sendError(wrongMethods.refusalAt(path) ?? nothing, request, reply)
  })
}

export type SendError = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply

export const createErrorSender =
  ({ log, strangerLimit }: { log: Log; strangerLimit: RateLimiter }): SendError =>
  (thrown, request, reply) => {
    const error = toParleyError(thrown)
    tellRate(request, reply, strangerLimit)
    if (error.code === 'INTERNAL') log.error({ request_id: request.id, err: thrown }, 'request failed')
    const status =
      (request.routeOptions?.config?.hook ? hookStatuses[error.code] : undefined) ?? apiStatuses[error.code]
    return reply
      .headers({ ...error.headers, 'x-request-id': request.id, 'cache-control': 'no-store' })
      .status(status)
      .type('application/json; charset=utf-8')
      .serializer(JSON.stringify)
      .send(bodyOf(error, request.id))
  }

type PendingAnswer = { req: { complete: boolean }; headersSent: boolean; setHeader(name: string, value: string): void }

/**
 * Requests so broken that Node's parser gave up: there is no request object, only a socket. It is closed whole: a client
 * that was told 408 must not be able to send the rest and still be served.
 */
export function answerBrokenRequest(error: { code?: string | undefined }, socket: Socket): void {
  const pending = (socket as { _httpMessage?: PendingAnswer | null })._httpMessage
  // A whole request came before the rubbish: it is answered as it deserves, and then the connection ends.
  if (pending?.req.complete && !pending.headersSent) {
    pending.setHeader('connection', 'close')
    return
  }
  if (error.code === 'ECONNRESET' || !socket.writable || pending?.headersSent) {
    socket.destroy()
    return
  }
  const answer = toBrokenRequestError(error.code)
  const requestId = newId('request')
  const body = JSON.stringify(bodyOf(answer, requestId))
  const head = [
    `HTTP/1.1 ${apiStatuses[answer.code]} Refused`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroySoon()
}

function toBrokenRequestError(code: string | undefined): ParleyError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ParleyError('REQUEST_TIMEOUT', 'The request took too long to arrive.')
  if (code === 'HPE_HEADER_OVERFLOW') return new ParleyError('HEADERS_TOO_LARGE', 'The headers are too large.')
  return new ParleyError('VALIDATION_ERROR', 'The request is not valid HTTP.')
}
