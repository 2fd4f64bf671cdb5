import { expect, it } from 'vitest'
import { faultWords } from './fault-words.ts'

it.each([
  ['type', { type: 'string' }, 'This must be a string.'],
  ['type', { type: 'integer' }, 'This must be a whole number.'],
  ['type', { type: ['string', 'number', 'boolean', 'null'] }, 'This must be a string, a number, a boolean or null.'],
  ['type', { type: ['string', 'null'] }, 'This must be a string or null.'],
  ['minLength', { limit: 1 }, 'This must not be empty.'],
  ['maxLength', { limit: 1_000 }, 'At most 1,000 characters.'],
  ['minimum', { limit: 1 }, 'This must be 1 or more.'],
  ['maximum', { limit: 100 }, 'This must be 100 or less.'],
  ['maxProperties', { limit: 25 }, 'At most 25 pairs.'],
  ['something new', {}, 'This is not valid.'],
])('%s %j: %s', (keyword, params, words) => {
  expect(faultWords({ keyword, params })).toBe(words)
})
