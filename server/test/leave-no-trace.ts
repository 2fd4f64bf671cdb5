import { afterAll, vi } from 'vitest'

afterAll(() => {
  // The spies first: they may stand on top of timers that are not real.
  vi.restoreAllMocks()
  vi.useRealTimers()
})
