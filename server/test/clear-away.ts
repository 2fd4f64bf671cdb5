import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Memory that nobody holds is given back now: what was only held by chance is gone. */
export const clearAway = (): void => collect()
