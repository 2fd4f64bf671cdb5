import { type Static, Type } from 'typebox'
import { SlotOnDate } from './slot-dates.ts'

/** Every code an answer may carry (decisions 1). What each means on the API and on the hook is the server's table. */
export const errorCodes = [
  'VALIDATION_ERROR',
  'AGENT_NOT_CALLABLE',
  'UNAUTHENTICATED',
  'INVALID_TOKEN',
  'INVALID_SIGNATURE',
  'INSUFFICIENT_CREDITS',
  'INSUFFICIENT_SCOPE',
  'FORBIDDEN',
  'PLAN_LIMIT_REACHED',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'REQUEST_TIMEOUT',
  'CALL_NOT_CANCELLABLE',
  'SLOT_FULL',
  'AI_QUOTA_EXHAUSTED',
  'SLOT_CLOSED',
  'SLOT_IN_PAST',
  'ALREADY_BOOKED',
  'CAPACITY_BELOW_BOOKED',
  'APPOINTMENT_STATUS_CONFLICT',
  'ENDPOINT_DISABLED',
  'IN_USE',
  'LINK_EXPIRED',
  'PAYLOAD_TOO_LARGE',
  'RANGE_NOT_SATISFIABLE',
  'UNSUPPORTED_MEDIA_TYPE',
  'INVALID_PHONE_NUMBER',
  'UNSUPPORTED_COUNTRY',
  'IDEMPOTENCY_KEY_REUSED',
  'RATE_LIMITED',
  'DAILY_QUOTA_EXCEEDED',
  'HEADERS_TOO_LARGE',
  'INTERNAL',
  'UNAVAILABLE',
] as const
export type ErrorCode = (typeof errorCodes)[number]

export const ErrorDetail = Type.Object({
  field: Type.String({ description: 'The faulty field, e.g. `user_number` or `additional_info.age`.' }),
  code: Type.String({ description: 'What is wrong with it, for programs.' }),
  message: Type.String({ description: 'What is wrong with it, for people.' }),
})
export type ErrorDetail = Static<typeof ErrorDetail>

export const ErrorBody = Type.Object({
  success: Type.Literal(false),
  error: Type.Object({
    code: Type.Unsafe<ErrorCode>({ type: 'string', enum: [...errorCodes] }),
    message: Type.String(),
    details: Type.Array(ErrorDetail),
    request_id: Type.String({ description: 'Also in the X-Request-Id header. Quote it when you ask for help.' }),
    alternatives: Type.Optional(
      Type.Array(SlotOnDate, { description: 'Only when there was no place: the next open slots, at most three.' }),
    ),
  }),
})
export type ErrorBody = Static<typeof ErrorBody>
