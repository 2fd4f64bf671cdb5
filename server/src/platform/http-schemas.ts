import { ErrorBody } from '@parley/contract/errors'
import { Type } from 'typebox'
import { type Fault, fault } from './errors.ts'
import type { RequestParts } from './http-types.ts'

const meanings = {
  400: 'A field is missing, unknown or not valid.',
  401: 'No API key, or not a valid one.',
  402: 'Not enough credits.',
  403: 'The key lacks the scope.',
  404: 'Nothing of this id.',
  409: 'Not possible in the present state.',
  410: 'It was here and has expired.',
  413: 'The body is larger than 256 KiB.',
  415: 'The body is not JSON in UTF-8.',
  422: 'The phone number cannot be called, or the Idempotency-Key was used with another body.',
  429: 'Too many requests: wait for Retry-After seconds.',
  503: 'The service is briefly unavailable: wait for Retry-After seconds.',
} as const

/** The error answers of a route, for the reference page. */
export const refusals = (...statuses: (keyof typeof meanings)[]): Record<number, object> =>
  Object.fromEntries(statuses.map((status) => [status, { ...ErrorBody, description: meanings[status] }]))

export const IdempotencyHeader = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({ description: 'Makes a repeat safe: the same key and body within 24 h answer the first answer.' }),
  ),
})

/** For routes without a body: nothing, or the empty object many clients send. */
export function bodyless({ whole, body }: RequestParts): Fault[] {
  const message = 'This request takes no body.'
  const isObject = typeof whole === 'object' && whole !== null && !Array.isArray(whole)
  if (whole !== undefined && !isObject) return [fault('body', 'type', message)]
  return Object.keys(body).map((field) => fault(field.slice(0, 200), 'unknown_field', message))
}
