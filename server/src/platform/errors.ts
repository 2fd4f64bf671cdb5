import type { ErrorBody, ErrorCode, ErrorDetail } from '@parley/contract/errors'

export type Fault = ErrorDetail
type More = { details?: Fault[]; headers?: Record<string, string>; alternatives?: ErrorBody['error']['alternatives'] }

/** An error carries a code; only the edge knows statuses. `headers` is for what a status demands (Retry-After, Allow). */
export class ParleyError extends Error {
  override readonly name = 'ParleyError'
  readonly code: ErrorCode
  readonly details: Fault[]
  readonly headers: Record<string, string>
  /** What could be had instead, beside the other fields of the error body. */
  readonly alternatives: More['alternatives']

  constructor(code: ErrorCode, message: string, more: More = {}) {
    super(message)
    this.code = code
    this.details = more.details ?? []
    this.headers = more.headers ?? {}
    this.alternatives = more.alternatives
  }
}

export const fault = (field: string, code: string, message: string): Fault => ({ field, code, message })

/** Where a reading answers either what was read or what is wrong with it. */
export const isFault = (value: object | null | undefined): value is Fault =>
  value != null && 'field' in value && 'code' in value

/** What was found first about a field is said of it. */
export function onePerField(faults: Fault[]): Fault[] {
  const first = new Map<string, Fault>()
  for (const each of faults) if (!first.has(each.field)) first.set(each.field, each)
  return [...first.values()]
}

/** All faulty fields at once (decisions 1). */
export function validationError(faults: Fault[]): ParleyError {
  const names = [...new Set(faults.map((each) => each.field))].slice(0, 5)
  const rest = faults.length > names.length ? ' and more' : ''
  return new ParleyError('VALIDATION_ERROR', `The request is not valid: check ${names.join(', ')}${rest}.`, {
    details: faults.slice(0, 100),
  })
}

/** Something the person who runs Parley can mend; told in words, without a stack. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError'
}
