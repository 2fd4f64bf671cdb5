import { expect, it } from 'vitest'
import { valueText } from './values.ts'

it.each([
  [null, '–'],
  ['', '–'],
  [0, '0'],
  [true, 'Yes'],
  [false, 'No'],
  ['<b>', '<b>'],
  [{ a_b: [1, 'x'], c: null }, 'a b: 1, x, c: –'],
])('%j reads %s', (value, text) => expect(valueText(value)).toBe(text))
