import type { Outcome } from './built-in-outcome.ts'
import { preferredTimeIn } from './time-phrase.ts'
import { numbersToDigits } from './words/numbers.ts'
import { plain } from './words/plain.ts'

/** Facts the callee mentioned, the latest mention of each, and what the tools made of the call. */
export function detailsOf(calleeTexts: readonly string[], outcome: Outcome): Record<string, unknown> {
  const latest = <T>(find: (text: string) => T | null) =>
    calleeTexts.map((text) => find(storable(text))).findLast((found) => found !== null) ?? null
  const found = {
    name: latest(nameIn),
    email: latest(emailIn),
    phone_number: latest(phoneIn),
    party_size: latest(partySizeIn),
    preferred_time: latest(preferredTimeIn),
    appointment: outcome.appointment,
    cancelled_appointment: outcome.cancelled,
    callback_time: outcome.callbackTime,
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== null))
}

const longestText = 2_000

/** PostgreSQL's JSON takes neither NUL nor half a character. */
function storable(text: string): string {
  return text.slice(0, longestText).replace(/[\p{Cc}\p{Cs}]/gu, ' ')
}

const word = "[\\p{L}\\p{M}][\\p{L}\\p{M}'’-]*"
const namePatterns = [
  new RegExp(`(?:my name is|my name['’]s|mera naam|मेरा नाम)\\s+(${word}(?:\\s+${word}){0,2})`, 'iu'),
  new RegExp(`\\bthis is\\s+(${word}(?:\\s+${word})?)\\s+(?:speaking|here)\\b`, 'iu'),
]
const noName = new Set(
  `a an and are at but calling can for from hai hain here hoon how i in is it not on please so speaking
  that the to too what who with you your है हैं हूँ`.split(/\s+/),
)

function nameIn(text: string): string | null {
  const words = namePatterns.map((pattern) => pattern.exec(text)?.[1]).find((found) => found !== undefined)
  const all = words?.split(/\s+/) ?? []
  const end = all.findIndex((each) => noName.has(each.toLowerCase()))
  const name = end < 0 ? all : all.slice(0, end)
  return name.length > 0 ? name.map((each) => each.charAt(0).toUpperCase() + each.slice(1)).join(' ') : null
}

function emailIn(text: string): string | null {
  const written = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/.exec(text)?.[0]
  if (written) return written
  const spoken =
    /\b((?:\w+ (?:dot|underscore|dash) ){0,3}\w+) at ((?:\w+ dot ){1,3}(?:com|org|net|edu|in|io|co|uk|info|test))\b/
  const [, user, host] = spoken.exec(plain(text)) ?? []
  if (user === undefined || host === undefined) return null
  const signs = (part: string) =>
    part
      .replace(/ dot /g, '.')
      .replace(/ underscore /g, '_')
      .replace(/ dash /g, '-')
  return `${signs(user)}@${signs(host)}`
}

function phoneIn(text: string): string | null {
  const written = /\+?\d(?:[ ().-]{0,2}\d){9,14}(?!\d)/.exec(text)?.[0]
  if (written) return written.replace(/[^+\d]/g, '')
  const digits = plain(text)
    .replace(/\b(double|triple) (\w+)\b/g, (_all, times, each) =>
      times === 'double' ? `${each} ${each}` : `${each} ${each} ${each}`,
    )
    .split(' ')
    .map((each) => digitWords.indexOf(each === 'oh' ? 'zero' : each))
    .map((digit) => (digit < 0 ? ' ' : String(digit)))
    .join('')
  return /\d{10,15}/.exec(digits)?.[0] ?? null
}
const digitWords = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']

function partySizeIn(text: string): number | null {
  const words = numbersToDigits(plain(text).split(' ')).join(' ')
  const match =
    /\b(?:party|group|table) (?:of|for) (\d{1,3})\b/.exec(words) ??
    /\b(\d{1,3}) (?:people|persons|guests|adults|of us)\b/.exec(words)
  const size = Number(match?.[1] ?? 0)
  return size > 0 ? size : null
}
