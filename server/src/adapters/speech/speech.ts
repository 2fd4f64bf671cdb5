import type { TextToSpeech } from '../../voice/ports.ts'
import { createEspeakSpeech } from './espeak.ts'
import { firstThatSpeaks } from './first-that-speaks.ts'
import { createFliteSpeech } from './flite.ts'

/** What this machine can speak with, found when the first recording is asked for. Null when there is nothing. */
export function createSpeech(): () => Promise<TextToSpeech | null> {
  let found: Promise<TextToSpeech | null> | undefined
  const find = async () => {
    const voices = (await Promise.all([createFliteSpeech(), createEspeakSpeech()])).filter((each) => each !== null)
    return voices.length > 0 ? firstThatSpeaks(voices) : null
  }
  return () => {
    found ??= find()
    return found
  }
}
