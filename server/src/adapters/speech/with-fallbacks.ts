import type { SpeechToText, TextToSpeech, Transcript } from '../../voice/ports.ts'

/** A service that has failed is left alone for a while: nobody should wait for a dead one twice. */
const restMs = 30_000

type FallbackOptions = { nowMs: () => number; onFailure: (error: unknown) => void }

function createRest({ nowMs, onFailure }: FallbackOptions) {
  let until = Number.NEGATIVE_INFINITY
  return {
    isResting: () => nowMs() < until,
    fails: (error: unknown) => {
      until = nowMs() + restMs
      onFailure(error)
    },
  }
}

/** The local voice speaks when the other one fails before its first sound. */
export function voiceWithFallback(
  primary: TextToSpeech,
  local: TextToSpeech | null,
  options: FallbackOptions,
): TextToSpeech {
  const rest = createRest(options)
  return {
    speaks: (language) => primary.speaks(language) || (local?.speaks(language) ?? false),
    async *say(text, voice, signal) {
      const canFall = local?.speaks(voice.language) ?? false
      if (!(canFall && rest.isResting())) {
        let begun = false
        try {
          for await (const sound of primary.say(text, voice, signal)) {
            begun = true
            yield sound
          }
          return
        } catch (error) {
          signal.throwIfAborted()
          rest.fails(error)
          if (begun || !canFall) throw error
        }
      }
      if (local) yield* local.say(text, voice, signal)
    },
  }
}

/** The local recogniser hears the same stretch again when the other one fails. */
export function recogniserWithFallback(
  primary: SpeechToText,
  local: SpeechToText | null,
  options: FallbackOptions,
): SpeechToText {
  const rest = createRest(options)
  return {
    understands: (language) => primary.understands(language) || (local?.understands(language) ?? false),
    async *transcribe(audio, language, signal) {
      const canFall = local?.understands(language) ?? false
      if (local && canFall && rest.isResting()) return yield* local.transcribe(audio, language, signal)
      const heard = createMemory(audio)
      try {
        for await (const transcript of primary.transcribe(heard.live(), language, signal)) {
          yield transcript satisfies Transcript
          if (transcript.final) return
        }
      } catch (error) {
        signal.throwIfAborted()
        rest.fails(error)
        if (!local || !canFall) throw error
        yield* local.transcribe(heard.again(), language, signal)
      }
    },
  }
}

/** Sound that can be heard a second time, from the beginning to its end. */
function createMemory(audio: AsyncIterable<Int16Array>) {
  const source = audio[Symbol.asyncIterator]()
  const kept: Int16Array[] = []
  let reading: Promise<boolean> | null = null
  let ended = false
  /** Both may wait for the same frame. */
  const readOne = () => {
    reading ??= source.next().then((next) => {
      reading = null
      if (next.done) ended = true
      else kept.push(next.value)
      return !next.done
    })
    return reading
  }
  async function* from(): AsyncGenerator<Int16Array> {
    for (let at = 0; ; at += 1) {
      while (at >= kept.length) {
        if (ended || !(await readOne())) return
      }
      yield kept[at] as Int16Array
    }
  }
  return { live: from, again: from }
}
