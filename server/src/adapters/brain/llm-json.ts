/** JSON of a model, fit for a database and for spreading: no NUL, no half surrogates, no `__proto__`. Throws. */
export const parseModelJson = (text: string): unknown => clean(JSON.parse(text))

function clean(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]) => [cleanText(key), clean(each)] as const)
  return Object.fromEntries(entries.filter(([key]) => key !== '__proto__'))
}

const cleanText = (text: string): string => text.replaceAll('\0', '').replace(/\p{Cs}/gu, '\ufffd')

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
