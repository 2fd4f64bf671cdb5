import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createIsoWriter } from './iso-text.ts'

it('writes every instant as Date does, whatever came before', () => {
  const write = createIsoWriter()
  const near = fc.integer({ min: 0, max: 3_000 }).map((ms) => Date.UTC(2026, 11, 31, 23, 59, 58) + ms)
  const any = fc.integer({ min: -62_000_000_000_000, max: 250_000_000_000_000 })
  fc.assert(
    fc.property(fc.oneof(near, any), (ms) => {
      expect(write(ms)).toBe(new Date(ms).toISOString())
    }),
    { numRuns: 2_000 },
  )
})
