import { callErrorCodes, callStatuses } from '@parley/contract/calls'
import { expect, it } from 'vitest'
import { clockSince, counted, reasonWords, shareOf, stateWords } from './call-words.ts'

it('every state and every reason of the contract has words of its own', () => {
  expect(Object.keys(stateWords).toSorted()).toEqual([...callStatuses].toSorted())
  const words = callErrorCodes.map((code) => reasonWords(code))
  expect(new Set(words).size).toBe(callErrorCodes.length)
  expect(words).not.toContain(reasonWords('something new'))
})

it('shares, counts and clocks read well', () => {
  expect([shareOf(12, 4), shareOf(0, 3), shareOf(0, 0)]).toEqual(['75 %', '0 %', '–'])
  expect([counted(1, 'call'), counted(1200, 'call')]).toEqual(['1 call', '1,200 calls'])
  const now = Date.parse('2026-11-15T10:12:05Z')
  expect([clockSince('2026-11-15T10:00:00Z', now), clockSince('2026-11-15T10:12:30Z', now)]).toEqual(['12:05', '0:00'])
  expect(clockSince(null, now)).toBe('–')
})
