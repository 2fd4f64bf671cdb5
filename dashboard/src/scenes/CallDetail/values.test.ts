import { expect, it } from 'vitest'
import { valueText } from './values.ts'

it.each([
  [null, '–'],
  ['', '–'],
  [0, '0'],
  [true, 'Yes'],
  [false, 'No'],
  ['<b>', '<b>'],
  [{ a: [1] }, '{"a":[1]}'],
])('%j reads %s', (value, text) => expect(valueText(value)).toBe(text))
