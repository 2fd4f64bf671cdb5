import { expect, it } from 'vitest'
import { expiryOf, tomorrowIn } from './expiry.ts'

const now = new Date('2026-11-15T20:00:00Z')

it('a key expires never, after some days, or at the end of a date where the organisation is', () => {
  expect(expiryOf('never', '', 'Asia/Kolkata', now)).toBeNull()
  expect(expiryOf('30', '', 'Asia/Kolkata', now)).toBe('2026-12-15T20:00:00.000Z')
  expect(expiryOf('date', '2026-11-20', 'Asia/Kolkata', now)).toBe('2026-11-20T18:29:00.000Z')
  expect(expiryOf('date', '', 'Asia/Kolkata', now)).toBeUndefined()
})

it('the first date to choose is tomorrow there', () => {
  expect(tomorrowIn('Asia/Kolkata', now)).toBe('2026-11-17')
})
