import { callErrorCodes, callStatuses, dispositions } from '@parley/contract/calls'
import { callSources } from '@parley/contract/dashboard-calls'
import { expect, it } from 'vitest'
import {
  clockText,
  dispositionWords,
  failureWords,
  lengthText,
  numberText,
  sourceWords,
  statuses,
  whoText,
} from './call-words.ts'

it('there are words for every state, outcome, source and failure of the contract', () => {
  expect(statuses).toEqual([...callStatuses])
  expect(Object.keys(dispositionWords)).toEqual([...dispositions])
  expect(Object.keys(sourceWords)).toEqual([...callSources])
  expect(Object.keys(failureWords)).toEqual([...callErrorCodes])
})

it.each([
  [null, '–'],
  [0, '0 s'],
  [59, '59 s'],
  [60, '1 min'],
  [125, '2 min 5 s'],
])('%s seconds are %s', (seconds, text) => expect(lengthText(seconds)).toBe(text))

it.each([
  [0, '0:00'],
  [65.9, '1:05'],
  [3725, '1:02:05'],
])('%s seconds on the clock: %s', (seconds, text) => expect(clockText(seconds)).toBe(text))

it('numbers are grouped as people say them', () => {
  expect(numberText('+15005550001')).toBe('+1 500 555 0001')
  expect(numberText('+919876543210')).toBe('+91 98765 43210')
  expect(numberText('+442071234567')).toBe('+442071234567')
})

it('a call is with a name, else with a number', () => {
  expect(whoText({ contact_name: ' Maya ', contact_number: '+15005550001' })).toBe('Maya')
  expect(whoText({ contact_name: '  ', contact_number: '+15005550001' })).toBe('+1 500 555 0001')
  expect(whoText({ contact_name: null, contact_number: null })).toBe('Unknown number')
})
