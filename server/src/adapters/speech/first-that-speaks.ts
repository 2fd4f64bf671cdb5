import type { TextToSpeech } from '../../voice/ports.ts'

/** One voice out of several: each language is spoken by the first that can. Those that are not installed are null. */
export function firstThatSpeaks(list: readonly (TextToSpeech | null)[]): TextToSpeech {
  const find = (language: string) => list.find((one) => one?.speaks(language))
  return {
    speaks: (language) => find(language) !== undefined,
    say(text, voice, signal) {
      const speech = find(voice.language)
      if (!speech) throw new Error('No voice is installed for this language')
      return speech.say(text, voice, signal)
    },
  }
}
