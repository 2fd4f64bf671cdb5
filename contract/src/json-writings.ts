const pythonSpaces = { comma: ', ', colon: ': ' }
type Spaces = typeof pythonSpaces

function write(value: unknown, spaces: Spaces): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((each) => write(each, spaces)).join(spaces.comma)}]`
  const pairs = Object.entries(value).map(([key, each]) => JSON.stringify(key) + spaces.colon + write(each, spaces))
  return `{${pairs.join(spaces.comma)}}`
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  const pairs = Object.entries(value).map(([key, each]) => [key, sorted(each)] as const)
  return Object.fromEntries(pairs.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
const asAscii = (text: string): string => text.replace(/[\u0080-\uffff]/g, escapeUnit)
const withSlashesEscaped = (text: string): string => text.replaceAll('/', '\\/')

/** The same JSON as the common libraries write it: JavaScript, Python, PHP, Ruby, Go; plain, indented, sorted. */
export function jsonWritings(text: string): string[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return []
  }
  const layouts = [
    JSON.stringify(value),
    write(value, pythonSpaces),
    JSON.stringify(value, null, 2),
    JSON.stringify(value, null, 4),
    JSON.stringify(sorted(value)),
    write(sorted(value), pythonSpaces),
  ]
  const writings = layouts.flatMap((layout) => {
    const slashed = withSlashesEscaped(layout)
    return [layout, asAscii(layout), slashed, asAscii(slashed)]
  })
  return [...new Set(writings)]
}
