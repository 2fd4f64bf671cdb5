const longestKey = 512
// Narrower than any store asks for: no `..`, nothing hidden, nothing that Windows, a URL or a shell reads otherwise.
const segment = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/

/** Keys look like `recordings/org_x/call_y.wav`. Anything else is a mistake of ours or somebody's attempt. */
export function checkKey(key: string): void {
  const good = key.length <= longestKey && key.split('/').every((part) => segment.test(part) && !part.endsWith('.'))
  if (!good) throw new Error('This is not a storage key')
}

export type Range = { start: number; end: number }

/** The bytes really there, the end included; null when the range begins behind the end of the object. */
export function rangeWithin(size: number, range: Range | undefined): Range | null {
  const { start, end } = range ?? { start: 0, end: size - 1 }
  const sound = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end >= start
  if (range && !sound) throw new RangeError('A range goes from a byte to the same or a later one')
  return start < size ? { start, end: Math.min(end, size - 1) } : null
}
