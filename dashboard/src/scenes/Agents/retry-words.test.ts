import { expect, it } from 'vitest'
import { retryWords, waitWords } from './retry-words.ts'

it('a policy reads as a sentence', () => {
  expect(retryWords({ max_attempts: 2, delay_seconds: 60, on: ['no_answer', 'voicemail'] })).toBe(
    '2 attempts, 60 s apart, on no answer and voicemail',
  )
  expect(retryWords({ max_attempts: 3, delay_seconds: 300, on: ['busy'] })).toBe('3 attempts, 5 min apart, on busy')
})

it('a policy that never retries says so, however it is written', () => {
  expect(retryWords({ max_attempts: 1, delay_seconds: 60, on: ['busy'] })).toBe('One attempt, no retry')
  expect(retryWords({ max_attempts: 5, delay_seconds: 60, on: [] })).toBe('One attempt, no retry')
})

it('waits are told in the unit that fits', () =>
  expect([90, 120, 3600, 0].map(waitWords)).toEqual(['90 s', '2 min', '1 h', '0 s']))
