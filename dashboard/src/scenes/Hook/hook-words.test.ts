import { expect, it } from 'vitest'
import { actionWords, quotaWords, resultOf } from './hook-words.ts'

it('a result is told in words and tone', () => {
  expect(resultOf({ status: 201, replayed: false })).toEqual({ tone: 'good', words: 'Accepted' })
  expect(resultOf({ status: 201, replayed: true }).words).toBe('Repeat, answered again')
  expect(resultOf({ status: 400, replayed: false })).toEqual({ tone: 'bad', words: 'Refused' })
  expect(resultOf({ status: 429, replayed: false }).tone).toBe('warn')
  expect(resultOf({ status: 503, replayed: false }).words).toBe('Failed on our side')
  expect(actionWords(null)).toBe('Could not be understood')
})

it('the quota warns from four fifths on and never leaves its bar', () => {
  expect(quotaWords(12, 10_000)).toEqual({ percent: 0.12, tone: 'good', words: '12 of 10,000 requests' })
  expect(quotaWords(8_000, 10_000).tone).toBe('warn')
  expect(quotaWords(12_000, 10_000)).toMatchObject({ percent: 100, tone: 'bad' })
  expect(quotaWords(0, 0).percent).toBe(100)
})
