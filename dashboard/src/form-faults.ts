// A refusal's details, sorted to the fields of a form.
import { ApiFailure } from './api-failure.ts'

/** By field name as on the wire; nested ones as `retry.delay`. */
export function faultsOf(failure: unknown): Record<string, string> {
  if (!(failure instanceof ApiFailure)) return {}
  return Object.fromEntries(failure.facts.details.map(({ field, message }) => [field, message]))
}

/** What no field of the form can show: then the note above it must. */
export const hasOtherFaults = (failure: unknown, fields: readonly string[]): boolean => {
  const named = Object.keys(faultsOf(failure))
  return failure != null && (named.length === 0 || named.some((field) => !fields.includes(field)))
}
