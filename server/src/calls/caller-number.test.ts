import { expect, it } from 'vitest'
import { callerNumber, spellingsOf } from './caller-number.ts'

it.each([
  ['+15005551111', '+15005551111'],
  ['0015005551111', '+15005551111'],
  ['15005551111', '+15005551111'],
  ['919876543210', '+919876543210'],
  ['+1 (500) 555-1111', '+15005551111'],
  ['+442071838750', '+442071838750'],
  ['5005551111', ''],
  ['anonymous', ''],
  ['', ''],
  ['+1500555111122223333', ''],
  ["'; drop table calls; --", ''],
])('who calls as %s is known as "%s"', (written, known) => {
  expect(callerNumber(written)).toBe(known)
})

it.each([
  ['+14155550100', ['+14155550100']],
  ['14155550100', ['+14155550100']],
  ['0014155550100', ['+14155550100']],
  ['4155550100', ['+14155550100', '+914155550100']],
  ['09876543210', ['+919876543210']],
])('a number dialled as %s may be one of %j', (written, wanted) => {
  expect(spellingsOf(written)).toEqual(expect.arrayContaining(wanted))
})

it.each(['', 'reception', '+', '+0', '12345678901234567890', 'sip:x'])('%j is no number at all', (written) => {
  expect(spellingsOf(written)).toEqual([])
})
