/**
 * What stands in for sound that did not come: the last pitch period again and again, fading out within 60 ms (after
 * G.711 Appendix I). What comes after it is blended in, so that neither end clicks.
 */
export type Concealment = {
  /** Sound that was really heard. Blended in place when something was concealed just before. */
  heard(samples: Int16Array): void
  /** Fills the array; false when nothing but silence is left to repeat. */
  conceal(samples: Int16Array): boolean
  /** What was heard is over: nothing of it may be repeated. */
  forget(): void
}

const shortestPeriod = 40
const longestPeriod = 120
const compared = 160
const pastLength = longestPeriod + compared
const steadySamples = 80
const fadeSamples = 400
const blendSamples = 40

export function createConcealment(): Concealment {
  const past = new Int16Array(pastLength)
  let concealed = 0
  let period = longestPeriod

  function sampleAt(index: number): number {
    const gain = index < steadySamples ? 1 : Math.max(0, 1 - (index - steadySamples) / fadeSamples)
    return gain * (past[pastLength - period + (index % period)] as number)
  }

  return {
    heard(samples) {
      if (concealed > 0) {
        const length = Math.min(blendSamples, samples.length)
        for (let i = 0; i < length; i += 1) {
          const share = (i + 1) / (length + 1)
          samples[i] = Math.round(share * (samples[i] as number) + (1 - share) * sampleAt(concealed + i))
        }
        concealed = 0
      }
      const kept = Math.min(samples.length, pastLength)
      past.copyWithin(0, kept)
      past.set(kept === samples.length ? samples : samples.subarray(samples.length - kept), pastLength - kept)
    },
    conceal(samples) {
      if (concealed === 0) period = pitchPeriod(past)
      for (let i = 0; i < samples.length; i += 1) samples[i] = Math.round(sampleAt(concealed + i))
      const audible = concealed < steadySamples + fadeSamples
      concealed = Math.min(concealed + samples.length, 1e6)
      return audible
    },
    forget() {
      past.fill(0)
      concealed = 0
    },
  }
}

/** The lag at which the recent past is most like itself. */
function pitchPeriod(past: Int16Array): number {
  let best = 0
  let period = longestPeriod
  for (let lag = shortestPeriod; lag <= longestPeriod; lag += 1) {
    let product = 0
    let energy = 1
    for (let i = pastLength - compared; i < pastLength; i += 1) {
      const earlier = past[i - lag] as number
      product += (past[i] as number) * earlier
      energy += earlier * earlier
    }
    const likeness = product / Math.sqrt(energy)
    if (likeness > best) {
      best = likeness
      period = lag
    }
  }
  return period
}
