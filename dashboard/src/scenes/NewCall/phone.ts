// A phone number as somebody types it, judged by the server's own rules, in plain words.
import { phoneFault } from '@parley/contract/phone'

export type CheckedNumber =
  | { state: 'empty' }
  | { state: 'unfinished'; hint: string }
  | { state: 'bad'; words: string }
  | { state: 'good'; number: string; country: 'US' | 'IN' }

/** Spaces, dashes, dots and brackets are how people write; 00 is how many dial a plus. */
export const denseNumber = (text: string): string =>
  text.replaceAll(/[\s().\u2010-\u2015-]/g, '').replace(/^00(?=[1-9])/, '+')

export function checkNumber(text: string): CheckedNumber {
  const number = denseNumber(text)
  if (number === '' || number === '+') return { state: 'empty' }
  if (!/^\+?[0-9]*$/.test(number)) return { state: 'bad', words: 'Use digits only, with a plus sign in front.' }
  if (!number.startsWith('+')) {
    return { state: 'bad', words: 'Begin with the country: +1 for the United States, +91 for India.' }
  }
  const fault = phoneFault(number)
  if (!fault) return { state: 'good', number, country: number.startsWith('+91') ? 'IN' : 'US' }
  return explainNumber(number)
}

function explainNumber(number: string): CheckedNumber {
  const country = /^\+(91|1)/.exec(number)?.[1]
  if (country === undefined) {
    if (number === '+9') return { state: 'unfinished', hint: 'Go on: +91 is India.' }
    return { state: 'bad', words: 'Only numbers in the United States (+1) and India (+91) can be called.' }
  }
  const digits = number.slice(country.length + 1)
  const first = country === '1' ? /^[2-9]/ : /^[1-9]/
  if (digits !== '' && !first.test(digits)) {
    const words =
      country === '1' ? 'After +1 the number begins with 2 to 9.' : 'After +91 the number begins with 1 to 9.'
    return { state: 'bad', words }
  }
  const missing = 10 - digits.length
  if (missing < 0) {
    const many = -missing === 1 ? 'one digit' : `${-missing} digits`
    return { state: 'bad', words: `That is ${many} too many: ten follow +${country}.` }
  }
  return { state: 'unfinished', hint: missing === 1 ? 'One more digit.' : `${missing} more digits.` }
}
