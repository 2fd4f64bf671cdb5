import { expect, it } from 'vitest'
import { barsPath } from './waveform.ts'

it('draws as many bars as asked for, the loudest of its stretch each, never beyond the frame', () => {
  const path = barsPath([0, 1, 0.5, 9], 'above', 2)
  expect(path.match(/M/g)).toHaveLength(2)
  expect(path).toBe('M0.00 1.5h74.40v30.0h-74.40zM120.00 1.5h74.40v30.0h-74.40z')
})
it('silence leaves a trace', () => expect(barsPath([0, 0], 'below', 1)).toContain('v0.6'))
it('no peaks, no fault', () => expect(barsPath([], 'below', 3).match(/M/g)).toHaveLength(3))
