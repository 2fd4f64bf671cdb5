// Every refusal of the server, and its silence, as one error with facts; also of answers that are not ours (a proxy's page).
import type { SlotOnDate } from '@parley/contract/slot-dates'

export interface FieldFault {
  field: string
  code: string
  message: string
}

export interface FailureFacts {
  /** 0 when no answer came at all. */
  status: number
  code: string
  message: string
  details: FieldFault[]
  requestId?: string | undefined
  retryAfterSeconds?: number | undefined
  /** There was no place: where there is one. */
  alternatives?: SlotOnDate[] | undefined
}

export class ApiFailure extends Error {
  readonly facts: FailureFacts

  constructor(facts: FailureFacts) {
    super(facts.message)
    this.name = 'ApiFailure'
    this.facts = facts
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Retry-After is seconds or an HTTP date. */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  const value = header?.trim()
  if (!value) return undefined
  if (/^\d+$/.test(value)) return Number(value)
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - nowMs) / 1000))
}

function readFaults(details: unknown): FieldFault[] {
  if (!Array.isArray(details)) return []
  return details.filter(isObject).map((fault) => ({
    field: textOf(fault.field) ?? '',
    code: textOf(fault.code) ?? '',
    message: textOf(fault.message) ?? '',
  }))
}

export function readFailure(status: number, headers: Headers, text: string, nowMs: number): ApiFailure {
  const body = parseJson(text)
  const error = isObject(body) && isObject(body.error) ? body.error : {}
  return new ApiFailure({
    status,
    code: textOf(error.code) ?? 'UNREADABLE',
    message: textOf(error.message) ?? '',
    details: readFaults(error.details),
    requestId: textOf(error.request_id) ?? textOf(headers.get('x-request-id')),
    retryAfterSeconds: readRetryAfter(headers.get('retry-after'), nowMs),
    ...(Array.isArray(error.alternatives) ? { alternatives: error.alternatives as SlotOnDate[] } : {}),
  })
}

export const noAnswer = (): ApiFailure => new ApiFailure({ status: 0, code: 'NO_ANSWER', message: '', details: [] })

export const isUnauthenticated = (failure: unknown): boolean =>
  failure instanceof ApiFailure && failure.facts.status === 401
