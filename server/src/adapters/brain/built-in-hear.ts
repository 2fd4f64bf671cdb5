import { heardInEnglish } from './words/en.ts'
import { heardInHindi } from './words/hi.ts'
import { plain } from './words/plain.ts'
import type { HeardWords, Intent } from './words/words.ts'

export type Heard = {
  text: string
  means: ReadonlySet<Intent>
  /** null: neither, or both. */
  answer: 'yes' | 'no' | null
}

type Phrases = { anywhere: readonly string[]; whole: readonly string[]; opening: readonly string[] }

/** Everybody is heard in both languages: callees mix them, and the words do not collide. */
const phrases = Object.fromEntries(
  (Object.keys(heardInEnglish) as Intent[]).map((intent) => [intent, phrasesOf(intent)]),
) as Record<Intent, Phrases>
const intents = Object.keys(phrases) as Intent[]

function phrasesOf(intent: Intent): Phrases {
  const of = (words: HeardWords) => words[intent].split('|').map((phrase) => phrase.trim())
  const all = [...of(heardInEnglish), ...of(heardInHindi)].filter((phrase) => phrase !== '')
  const marked = (mark: string) => all.filter((phrase) => phrase.startsWith(mark)).map((phrase) => plain(phrase))
  return {
    // With a space at either end, as they are looked for.
    anywhere: all.filter((phrase) => !/^[=^]/.test(phrase)).map((phrase) => ` ${plain(phrase)} `),
    whole: marked('='),
    opening: marked('^').map((phrase) => ` ${phrase} `),
  }
}

// Every turn goes through the whole talk again, so each sentence is heard many times. Bounded, and dropped whole.
const heardBefore = new Map<string, Heard>()
const mostRemembered = 5_000

export function hear(text: string): Heard {
  const known = heardBefore.get(text)
  if (known) return known
  if (heardBefore.size >= mostRemembered) heardBefore.clear()
  const heard = understand(text)
  heardBefore.set(text, heard)
  return heard
}

function understand(text: string): Heard {
  const words = plain(text)
  const means = new Set(intents.filter((intent) => isIn(words, phrases[intent])))
  if (text.trim().endsWith('?')) means.add('question')
  return { text, means: softened(means, words), answer: answerIn(words, means.has('question')) }
}

function isIn(words: string, { anywhere, whole, opening }: Phrases): boolean {
  const padded = ` ${words} `
  return (
    anywhere.some((phrase) => padded.includes(phrase)) ||
    whole.includes(words) ||
    opening.some((phrase) => padded.startsWith(phrase))
  )
}

/** "Do not call me now, call me back at six" asks for a call; only "never", "again" or "any more" make it final. */
function softened(means: Set<Intent>, words: string): Set<Intent> {
  if (!means.has('refuse')) return means
  const rest = without(words, phrases.refuse.anywhere)
  const isFinal = / (?:ever|again|anymore|any more|never|kabhi|dobara) /.test(` ${words} `)
  if (isFinal || rest === words || !isIn(rest, phrases.callback)) return means
  return new Set([...means].filter((intent) => intent !== 'refuse'))
}

function answerIn(words: string, isQuestion: boolean): Heard['answer'] {
  const plainly = without(words, [...phrases.unsure.anywhere, ...phrases.neutral.anywhere])
  const rest = without(plainly, phrases.idiomYes.anywhere)
  const isUnsure = isIn(words, phrases.unsure)
  const no = isIn(rest, phrases.no)
  const yes = isIn(rest, phrases.yes) || rest !== plainly
  if (no) return yes ? null : 'no'
  // "Yes, maybe" and "is that okay?" agree to nothing.
  if (isUnsure) return null
  return yes || (isIn(rest, phrases.mildYes) && !isQuestion) ? 'yes' : null
}

function without(words: string, taken: readonly string[]): string {
  const rest = taken.reduce((left, phrase) => left.replaceAll(phrase, '  '), ` ${words} `)
  return rest.replace(/ +/g, ' ').trim()
}
