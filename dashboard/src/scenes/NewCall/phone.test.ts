import { phoneFault } from '@parley/contract/phone'
import { expect, it } from 'vitest'
import { checkNumber, denseNumber } from './phone.ts'

it.each([
  ['', { state: 'empty' }],
  ['+1 (500) 555-0001', { state: 'good', number: '+15005550001', country: 'US' }],
  ['0091 98765 43210', { state: 'good', number: '+919876543210', country: 'IN' }],
  ['+1500555000', { state: 'unfinished', hint: 'One more digit.' }],
  ['+91', { state: 'unfinished', hint: '10 more digits.' }],
  ['+9', { state: 'unfinished', hint: 'Go on: +91 is India.' }],
  ['+150055500012', { state: 'bad', words: 'That is one digit too many: ten follow +1.' }],
  ['+11005550001', { state: 'bad', words: 'After +1 the number begins with 2 to 9.' }],
  ['+91098', { state: 'bad', words: 'After +91 the number begins with 1 to 9.' }],
  ['+442071234567', { state: 'bad', words: 'Only numbers in the United States (+1) and India (+91) can be called.' }],
  ['5005550001', { state: 'bad', words: 'Begin with the country: +1 for the United States, +91 for India.' }],
  ['+1500555000a', { state: 'bad', words: 'Use digits only, with a plus sign in front.' }],
  ['+١٥٠٠٥٥٥٠٠٠١', { state: 'bad', words: 'Use digits only, with a plus sign in front.' }],
])('%s', (text, expected) => expect(checkNumber(text)).toEqual(expected))

it('what it calls good the server takes, and nothing else', () => {
  for (let i = 0; i < 5_000; i += 1) {
    const length = 8 + (i % 7)
    const digits = Array.from({ length }, (_, at) => (i * 7 + at * (i % 13)) % 10).join('')
    const text = `+${i % 3 === 0 ? '91' : i % 3 === 1 ? '1' : ''}${digits}`
    expect(checkNumber(text).state === 'good', text).toBe(phoneFault(denseNumber(text)) === null)
  }
})
