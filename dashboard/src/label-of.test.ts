import { expect, it } from 'vitest'
import { labelOf } from './label-of.ts'

it.each([
  ['professional', 'Professional'],
  ['front_desk', 'Front desk'],
  ['', ''],
])('%j reads %j', (word, label) => expect(labelOf(word)).toBe(label))
