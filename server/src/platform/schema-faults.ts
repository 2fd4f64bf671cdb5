import { Ajv, type ErrorObject } from 'ajv'
import { type Fault, fault } from './errors.ts'
import { faultWords } from './fault-words.ts'

// Formats are for readers of the schema; the rules behind them are checked where they can be explained.
const formats = { 'date-time': true, date: true, uuid: true, email: true, uri: true } as const
const options = { allErrors: true, removeAdditional: false, useDefaults: false, strict: false, formats } as const
export const bodySchemas = new Ajv({ ...options, coerceTypes: false, discriminator: true })
// A query string holds only text: "20" is how a number is written there.
export const querySchemas = new Ajv({ ...options, coerceTypes: true })

const codes: Record<string, string> = {
  type: 'type',
  maxLength: 'too_long',
  minLength: 'too_short',
  pattern: 'format',
  enum: 'not_allowed',
  const: 'not_allowed',
  maxProperties: 'too_many',
  minProperties: 'too_few',
  uniqueItems: 'duplicate',
  maxItems: 'too_many',
  minItems: 'too_few',
  minimum: 'out_of_range',
  maximum: 'out_of_range',
}

/** An Ajv error in our words: which field, and what would be right. */
export function toFault(error: ErrorObject, whole: string): Fault[] {
  const path = error.instancePath
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const at = (...more: string[]) =>
    [...path, ...more]
      .filter((part) => part !== '')
      .join('.')
      .slice(0, 200) || whole
  const params = error.params as Record<string, unknown>
  switch (error.keyword) {
    case 'required':
      return [fault(at(String(params.missingProperty)), 'required', 'This field is required.')]
    case 'additionalProperties':
      return [fault(at(String(params.additionalProperty)), 'unknown_field', 'There is no field of this name.')]
    case 'propertyNames':
      return [fault(at(String(params.propertyName)), 'key', 'A key must have 1 to 64 characters.')]
    case 'discriminator':
      // The field that says which of several shapes is meant has a schema of its own, which tells its faults better.
      return []
    default:
      // A key's own fault is told by propertyNames; the branches of a union by the union.
      if (error.propertyName !== undefined) return []
      return [fault(at(), codes[error.keyword] ?? error.keyword, faultWords(error))]
  }
}
