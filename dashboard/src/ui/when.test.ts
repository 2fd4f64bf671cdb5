import { expect, it } from 'vitest'
import { whenText } from './when.tsx'

it('a time names its zone, and its year only when it is another', () => {
  const now = new Date('2026-11-15T00:00:00Z')
  expect(whenText('2026-11-16T08:30:00.000Z', 'Asia/Kolkata', now).text).toBe('16 Nov, 14:00 GMT+5:30')
  expect(whenText('2027-01-02T08:30:00.000Z', 'UTC', now).text).toBe('2 Jan 2027, 08:30 UTC')
  expect(whenText('2026-11-16T08:30:00.000Z', 'UTC', now).hint).toMatch(/^2026-11-16 08:30:00 UTC · /)
})
