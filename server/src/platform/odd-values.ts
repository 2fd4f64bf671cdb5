import { type Fault, fault, type ParleyError, validationError } from './errors.ts'

const deepest = 32
const mostFaults = 100

const unusable = (message: string): ParleyError => validationError([fault('body', 'malformed_json', message)])

/**
 * What JSON allows and the database or JavaScript does not: NUL, half a surrogate pair, a number past every double,
 * `__proto__`. Walks without recursion, because 50,000 levels fit into a small body, and without keeping paths, because
 * hardly any body has one: `oddFaults` looks again where it is.
 */
export function isOdd(root: unknown): boolean {
  const waiting: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }]
  let found = false
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, depth } = next
    if (reasonOf(value) !== null) found = true
    if (typeof value !== 'object' || value === null) continue
    if (depth >= deepest) throw unusable(`The body is nested more than ${deepest} levels deep.`)
    for (const key of Object.keys(value)) {
      if (key === '__proto__') throw unusable('The key __proto__ is not allowed.')
      if (oddText(key) !== null) found = true
      waiting.push({ value: (value as Record<string, unknown>)[key], depth: depth + 1 })
    }
  }
  return found
}

/** Every odd value, by its field. */
export function oddFaults(root: unknown): Fault[] {
  const faults: Fault[] = []
  const look = (value: unknown, path: string): void => {
    const reason = reasonOf(value)
    if (reason !== null) faults.push({ field: path || 'body', ...reason })
    if (typeof value !== 'object' || value === null) return
    for (const [key, inside] of Object.entries(value)) {
      if (faults.length >= mostFaults) return
      const at = (path === '' ? key : `${path}.${key}`).slice(0, 200)
      const keyReason = oddText(key)
      if (keyReason !== null) faults.push({ field: at, ...keyReason })
      look(inside, at)
    }
  }
  look(root, '')
  return faults
}

type Reason = Omit<Fault, 'field'>
const nul: Reason = { code: 'format', message: 'Text must not contain the NUL character.' }
const halfPair: Reason = { code: 'format', message: 'Text must not contain half of a surrogate pair.' }
const tooLarge: Reason = { code: 'not_exact', message: 'A number this large cannot be kept: send it as a string.' }

function reasonOf(value: unknown): Reason | null {
  if (typeof value === 'string') return oddText(value)
  return typeof value === 'number' && !Number.isFinite(value) ? tooLarge : null
}

function oddText(text: string): Reason | null {
  if (text.includes('\u0000')) return nul
  return isWellFormed(text) ? null : halfPair
}

// Node 20 has String.prototype.isWellFormed; TypeScript's library for ES2023 does not name it.
const isWellFormed = (text: string): boolean => (text as unknown as { isWellFormed(): boolean }).isWellFormed()
