/** Any value of a JSON object, as a person reads it. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (value === true) return 'Yes'
  if (value === false) return 'No'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
