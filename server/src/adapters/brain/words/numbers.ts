const small = `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
  sixteen seventeen eighteen nineteen`.split(/\s+/)
const tens = ['twenty', 'thirty', 'forty', 'fifty', 'sixty']
const ordinals = `first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
  fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth`.split(/\s+/)

const numbers = new Map([
  ...small.map((word, value) => [word, value] as const),
  ...tens.map((word, index) => [word, (index + 2) * 10] as const),
])
const ordinalNumbers = new Map([
  ...ordinals.map((word, index) => [word, index + 1] as const),
  ['thirtieth', 30] as const,
])

export function numberOf(word: string): number | null {
  return /^\d{1,4}$/.test(word) ? Number(word) : (numbers.get(word) ?? null)
}

/** "twenty five" becomes "25", "twenty first" and "21st" become "21th", "ten oh five" becomes "10 05". */
export function numbersToDigits(words: readonly string[]): string[] {
  const out: string[] = []
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? ''
    const next = words[index + 1] ?? ''
    const pair = pairOf(word, next, out.at(-1))
    out.push(pair ?? single(word))
    if (pair !== null) index += 1
  }
  return out
}

function pairOf(word: string, next: string, before: string | undefined): string | null {
  const unit = numbers.get(next)
  const isUnit = unit !== undefined && unit > 0 && unit < 10
  if ((word === 'oh' || word === 'o') && isUnit && /^\d{1,2}$/.test(before ?? '')) return `0${unit}`
  if (!tens.includes(word)) return null
  const ten = numbers.get(word) ?? 0
  if (isUnit && ten < 60) return String(ten + unit)
  const ordinal = ordinalNumbers.get(next)
  return ordinal !== undefined && ordinal < 10 ? `${ten + ordinal}th` : null
}

function single(word: string): string {
  const number = numbers.get(word)
  if (number !== undefined) return String(number)
  const ordinal = ordinalNumbers.get(word)
  if (ordinal !== undefined) return `${ordinal}th`
  return word.replace(/^(\d{1,2})(?:st|nd|rd)$/, '$1th')
}
