import { understandWhen } from './time-words.ts'
import { numberOf } from './words/numbers.ts'
import { plain } from './words/plain.ts'
import { isHindiTimeWord } from './words/time-hi.ts'
import { months, weekdays } from './words/time-text.ts'

const named = new Set([
  ...weekdays,
  ...months,
  ...`today tonight tomorrow morning afternoon evening night noon midday midnight am pm oclock clock hour
  hours minute minutes mins day days week weeks month months later now`.split(/\s+/),
])
const between = new Set(
  `at in on the this next after before around about by an a half quarter past to of and couple few from
  until till o ke ko between`.split(/\s+/),
)
/** Any midnight: every hour of the day is still ahead. */
const context = { now: new Date('2026-01-05T00:00:00Z'), timezone: 'UTC', language: 'en' }

/** The words that name a time, as they were said: "tomorrow at ten" of "Could you try tomorrow at ten, please?" */
export function preferredTimeIn(text: string): string | null {
  const words = text.split(/\s+/).filter((word) => plain(word) !== '')
  const kinds = words.map((word) => kindOf(plain(word)))
  for (let from = 0; from < words.length; from += 1) {
    if (kinds[from] === 'other') continue
    const end = kinds.indexOf('other', from)
    const to = end < 0 ? words.length : end
    const phrase = trimmed(words.slice(from, to), kinds.slice(from, to))
    // The words around it tell: "at five", but "at five people"; "this morning", but "good morning".
    const around = words.slice(Math.max(0, from - 1), to + 1).join(' ')
    if (phrase && understandWhen(around, context)) return phrase
    from = to
  }
  return null
}

type Kind = 'named' | 'number' | 'between' | 'other'

function kindOf(word: string): Kind {
  if (named.has(word) || isHindiTimeWord(word) || /^\d{1,2}:\d\d( [ap]m)?$|^\d{1,2} [ap]m$/.test(word)) return 'named'
  if (between.has(word)) return 'between'
  return numberOf(word) !== null || /^\d{1,2}(?:st|nd|rd|th)$/.test(word) ? 'number' : 'other'
}

function trimmed(words: readonly string[], kinds: readonly Kind[]): string | null {
  const last = kinds.findLastIndex((kind) => kind !== 'between')
  const isNamed = kinds.includes('named') || (kinds.includes('number') && kinds.includes('between'))
  if (last < 0 || !isNamed) return null
  const phrase = words.slice(0, last + 1).join(' ')
  return phrase.replace(/^(?:(?:and|the|a|an|of|to|ko|ke) (?!hour))+/i, '').replace(/[\s.,;:!?।]+$/u, '')
}
