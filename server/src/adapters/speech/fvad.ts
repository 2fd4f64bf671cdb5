import type { VoiceDetector } from '../../voice/ports.ts'

type FvadModule = {
  _fvad_new(): number
  _fvad_free(detector: number): void
  _fvad_set_mode(detector: number, mode: number): number
  _fvad_set_sample_rate(detector: number, hertz: number): number
  _fvad_process(detector: number, frame: number, samples: number): number
  _malloc(bytes: number): number
  _free(address: number): void
  HEAP16: Int16Array
}
type Load = () => Promise<{ default: (options?: object) => Promise<FvadModule> }>

const packageName = '@echogarden/fvad-wasm'
const loadPackage: Load = () => import(packageName)
/** 0 calls nearly everything a voice, 3 next to nothing. Barge-in by noise is worse than a soft word too late. */
const mode = 2
const frameSamples = 160

/** The voice detector of WebRTC. Null when the optional package is missing. */
export async function createFvadDetector(load: Load = loadPackage): Promise<VoiceDetector | null> {
  let fvad: FvadModule
  try {
    fvad = await (await load()).default()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return null
    throw error
  }
  return {
    open: () => {
      const detector = fvad._fvad_new()
      const frameAt = fvad._malloc(2 * frameSamples)
      fvad._fvad_set_mode(detector, mode)
      fvad._fvad_set_sample_rate(detector, 8_000)
      let open = true
      return {
        isVoice: (frame) => {
          if (!open || frame.length !== frameSamples) return false
          fvad.HEAP16.set(frame, frameAt / 2)
          return fvad._fvad_process(detector, frameAt, frameSamples) === 1
        },
        close: () => {
          if (!open) return
          open = false
          fvad._free(frameAt)
          fvad._fvad_free(detector)
        },
      }
    },
  }
}
