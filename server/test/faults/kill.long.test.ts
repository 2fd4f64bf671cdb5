import { it } from 'vitest'
import { killAtEveryStep } from './kill.ts'

it('kill -9 at each step between claim and end, 100 times: no phone rings twice, no call is lost', () =>
  killAtEveryStep(100))
