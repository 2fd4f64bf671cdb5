/** Any value of a JSON object, as a person reads it. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (value === true) return 'Yes'
  if (value === false) return 'No'
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .map(([name, inner]) => `${name.replaceAll('_', ' ')}: ${valueText(inner)}`)
    .join(', ')
}
