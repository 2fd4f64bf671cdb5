import { describe, expect, it } from 'vitest'
import { instantOf, wallTime } from './zoned-time.ts'

describe('the wall time of a zone', () => {
  it('is what a clock there shows', () => {
    expect(wallTime(new Date('2026-11-15T09:00:00Z'), 'Asia/Kolkata')).toBe('2026-11-15T14:30')
    expect(wallTime(new Date('2026-11-15T00:05:00Z'), 'America/New_York')).toBe('2026-11-14T19:05')
  })

  it('means an instant, half hours included', () => {
    expect(instantOf('2026-11-15T14:30', 'Asia/Kolkata')).toBe('2026-11-15T09:00:00.000Z')
    expect(instantOf('2026-07-01T00:00', 'America/New_York')).toBe('2026-07-01T04:00:00.000Z')
    expect(instantOf('2026-11-15T00:00', 'UTC')).toBe('2026-11-15T00:00:00.000Z')
  })

  it('a repeated hour is the first one, a skipped one moves forward', () => {
    expect(instantOf('2026-11-01T01:30', 'America/New_York')).toBe('2026-11-01T05:30:00.000Z')
    expect(instantOf('2026-03-08T02:30', 'America/New_York')).toBe('2026-03-08T07:30:00.000Z')
  })

  it('nothing for what is no time', () => {
    for (const text of ['', 'soon', '2026-13-40T10:00', '2026-11-15']) expect(instantOf(text, 'UTC')).toBeNull()
  })
})
