import { it } from 'vitest'
import { killAtEveryStep } from './kill.ts'

it('kill -9 at each step between claim and end: no phone rings twice, no call is lost (a sample)', () =>
  killAtEveryStep(5))
