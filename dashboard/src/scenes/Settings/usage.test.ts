import { expect, it } from 'vitest'
import { usageText } from './usage.ts'

it('says what refers to something, in words', () => {
  expect(usageText({ window: 2, agent: 1, service: 3 })).toBe('2 windows, 1 agent and 3 services')
  expect(usageText({ window: 1, appointment: 0 })).toBe('1 window')
  expect(usageText({ window: 0 })).toBe('')
})
