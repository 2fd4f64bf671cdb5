import type { ErrorCode, ErrorDetail } from '@parley/contract/errors'

/** `UNREADABLE`: the answer was not Parley's, e.g. a proxy's page. A newer server may send codes not listed here. */
export type ApiErrorCode = ErrorCode | 'UNREADABLE'

export type ApiErrorFacts = {
  status: number
  code: ApiErrorCode
  /** Every faulty field at once. */
  details: ErrorDetail[]
  /** Quote it when you ask for help. */
  requestId: string | undefined
  retryAfterSeconds: number | undefined
  /** The key a creating request was sent with: create again with it, and nothing happens twice. */
  idempotencyKey: string | undefined
}

/** Parley answered, and the answer is no. */
export class ParleyApiError extends Error implements ApiErrorFacts {
  override readonly name = 'ParleyApiError'
  readonly status: number
  readonly code: ApiErrorCode
  readonly details: ErrorDetail[]
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined
  readonly idempotencyKey: string | undefined

  constructor(message: string, facts: ApiErrorFacts) {
    super(message)
    this.status = facts.status
    this.code = facts.code
    this.details = facts.details
    this.requestId = facts.requestId
    this.retryAfterSeconds = facts.retryAfterSeconds
    this.idempotencyKey = facts.idempotencyKey
  }
}

/** No whole answer came: whether the request had an effect is unknown. */
export class ParleyConnectionError extends Error {
  override readonly name = 'ParleyConnectionError'
  readonly timedOut: boolean
  readonly idempotencyKey: string | undefined

  constructor(message: string, facts: { timedOut: boolean; idempotencyKey: string | undefined; cause?: unknown }) {
    super(message, { cause: facts.cause })
    this.timedOut = facts.timedOut
    this.idempotencyKey = facts.idempotencyKey
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Whole seconds or an HTTP date (RFC 9110, 10.2.3); anything else says nothing. */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  const value = header?.trim() ?? ''
  if (/^\d+$/.test(value)) return Number(value)
  const at = value.endsWith('GMT') ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - nowMs) / 1_000))
}

const isDetail = (value: unknown): value is ErrorDetail =>
  isObject(value) && [value.field, value.code, value.message].every((each) => typeof each === 'string')

type Answer = { status: number; headers: Headers; body: unknown; idempotencyKey: string | undefined }

/** From any answer that is not the one asked for. It may be anybody's, so nothing in it is taken on trust. */
export function toApiError({ status, headers, body, idempotencyKey }: Answer): ParleyApiError {
  const error = isObject(body) && isObject(body.error) ? body.error : {}
  return new ParleyApiError(textOf(error.message) ?? `Status ${status} came with an answer that is not Parley's.`, {
    status,
    code: (textOf(error.code) as ErrorCode | undefined) ?? 'UNREADABLE',
    details: Array.isArray(error.details) ? error.details.filter(isDetail) : [],
    requestId: textOf(error.request_id) ?? textOf(headers.get('x-request-id')),
    retryAfterSeconds: readRetryAfter(headers.get('retry-after'), Date.now()),
    idempotencyKey,
  })
}
