import { expect, it } from 'vitest'
import { calleeTime, isNight } from './callee-time.ts'

it('India has one time', () => {
  const { text, warning } = calleeTime('IN', new Date('2026-11-16T05:00:00Z'))
  expect(text).toContain('10:30 where the phone rings (India)')
  expect(warning).toBeNull()
  expect(calleeTime('IN', new Date('2026-11-16T20:00:00Z')).warning).toContain('night in India')
})

it('a +1 number has many, and says where it is night', () => {
  const { text, warning } = calleeTime('US', new Date('2026-11-16T15:00:00Z'))
  expect(text).toMatch(/six time zones: from .*10:00 in New York to .*05:00 in Honolulu/)
  expect(warning).toBe(
    'It is night in Los Angeles, Anchorage and Honolulu at that time. Most people expect calls from 8:00 to 21:00.',
  )
  expect(calleeTime('US', new Date('2026-11-16T19:00:00Z')).warning).toBeNull()
  expect(calleeTime('US', new Date('2026-11-16T10:00:00Z')).warning).toContain('everywhere')
})

it.each([
  ['07:59', true],
  ['08:00', false],
  ['20:59', false],
  ['21:00', true],
])('%s night: %s', (time, night) => expect(isNight(time)).toBe(night))
