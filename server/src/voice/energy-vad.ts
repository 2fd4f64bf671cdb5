import type { VoiceDetector } from './ports.ts'

/** Loudness over the line's own noise. Knows nothing of voices: for machines on which no better detector is installed. */
const quietest = 120
const aboveNoise = 3.5
/** Noise is believed to rise slowly and to fall at once. */
const rise = 1.004

export const energyDetector: VoiceDetector = {
  open: () => {
    let noise = quietest
    let open = true
    return {
      isVoice: (frame) => {
        if (!open) return false
        let energy = 0
        for (const sample of frame) energy += sample * sample
        const level = Math.sqrt(energy / Math.max(1, frame.length))
        noise = Math.max(quietest / 4, Math.min(level, noise * rise))
        return level > Math.max(quietest, noise * aboveNoise)
      },
      close: () => {
        open = false
      },
    }
  },
}
