import { afterAll, vi } from 'vitest'
import { cleanUp } from './at-end.ts'

afterAll(async () => {
  // The spies first: they may stand on top of timers that are not real.
  vi.restoreAllMocks()
  vi.useRealTimers()
  await cleanUp()
}, 60_000)
