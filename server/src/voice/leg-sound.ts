import type { AudioLink } from './audio.ts'
import type { CallLeg } from './ports.ts'
import { createRecorder } from './recorder.ts'
import { createSpeechLink, type SpeechParts } from './speech-link.ts'
import type { TurnDelay } from './turn-delay.ts'

export type LegSound = Required<Pick<CallLeg, 'speech' | 'recording' | 'onTurnDelay'>>

/** All that a real line's sound is good for: talking, a recording of what was really heard, how long turns took. */
export function createLegSound(options: { audio: AudioLink; parts: SpeechParts; nowMs: () => number }): LegSound {
  const { audio, parts, nowMs } = options
  const recorder = createRecorder()
  let tell: (delay: TurnDelay) => void = () => {}
  const speech = createSpeechLink({
    ...parts,
    audio,
    nowMs,
    onFrame: recorder.add,
    onTurnDelay: (delay) => tell(delay),
  })
  return {
    speech,
    recording: async () => (recorder.seconds() > 0 ? recorder.wav() : null),
    onTurnDelay: (listener) => {
      tell = listener
    },
  }
}
