/** In slices, so that little is on its way at any moment. */
const sliceSamples = 800
const keptSlices = 50

/** Sound on its way: what waits, and what was passed on lately and may come back. */
export function createSoundQueue() {
  const waiting: Int16Array[] = []
  let passedOn: Int16Array[] = []
  let waitingSamples = 0
  let passedSamples = 0
  return {
    waitingSamples: () => waitingSamples,
    passedSamples: () => passedSamples,
    add: (sound: Int16Array) => {
      for (let at = 0; at < sound.length; at += sliceSamples) waiting.push(sound.subarray(at, at + sliceSamples))
      waitingSamples += sound.length
    },
    passOn: (): Int16Array | undefined => {
      const slice = waiting.shift()
      if (!slice) return undefined
      waitingSamples -= slice.length
      passedSamples += slice.length
      passedOn.push(slice)
      if (passedOn.length > 2 * keptSlices) passedOn = passedOn.slice(-keptSlices)
      return slice
    },
    /** The last so many samples wait again. */
    takeBack: (count: number) => {
      let left = Math.min(passedSamples, count)
      passedSamples -= left
      waitingSamples += left
      for (let slice = passedOn.pop(); slice && left > 0; slice = left > 0 ? passedOn.pop() : undefined) {
        const back = Math.min(left, slice.length)
        waiting.unshift(slice.subarray(slice.length - back))
        if (back < slice.length) passedOn.push(slice.subarray(0, slice.length - back))
        left -= back
      }
    },
  }
}
