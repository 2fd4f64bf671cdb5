import { expect, it } from 'vitest'
import { outcomesSurvive } from './outcomes.ts'

it('every outcome arrives through 80 kills of nodes and 20 crashes of PostgreSQL', async () => {
  const faults = Array.from({ length: 100 }, (_, i): 'restart' | 'kill' => (i % 5 === 4 ? 'restart' : 'kill'))
  const { events } = await outcomesSurvive(faults)
  expect(events).toBeGreaterThan(1_000)
})
