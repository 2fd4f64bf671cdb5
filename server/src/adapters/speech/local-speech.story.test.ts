import { describe, expect, it } from 'vitest'
import { spokenOnPhone } from '../../../test/speech/spoken.ts'
import { energyDetector } from '../../voice/energy-vad.ts'
import type { SpeechToText, TextToSpeech, VoiceDetector } from '../../voice/ports.ts'
import { describeSpeechToText } from '../conformance/speech-to-text.ts'
import { describeTextToSpeech } from '../conformance/text-to-speech.ts'
import { describeVoiceDetector } from '../conformance/voice-detector.ts'
import { createEspeakSpeech } from './espeak.ts'
import { createFliteSpeech } from './flite.ts'
import { createFvadDetector } from './fvad.ts'
import { createMoonshineRecogniser } from './moonshine.ts'

const [recogniser, flite, espeak, fvad] = await Promise.all([
  createMoonshineRecogniser(),
  createFliteSpeech(),
  createEspeakSpeech(),
  createFvadDetector(),
])
const missing = Object.entries({ moonshine: recogniser, flite, 'espeak-ng': espeak, fvad })
  .filter(([, part]) => !part)
  .map(([name]) => name)
const never = new AbortController().signal

it(`says which parts this machine lacks${missing.length > 0 ? `: ${missing.join(', ')}` : ''}`, () => {
  expect(missing.every((name) => ['moonshine', 'flite', 'espeak-ng', 'fvad'].includes(name))).toBe(true)
})

if (flite) describeTextToSpeech('flite', async () => ({ tts: flite as TextToSpeech, language: 'en-IN' }))
if (espeak) describeTextToSpeech('espeak-ng', async () => ({ tts: espeak as TextToSpeech, language: 'en-GB' }))

describe.skipIf(!flite)('with a voice to listen to', async () => {
  const long = flite ? await spokenOnPhone('I would like to book an appointment on Monday morning please.') : null
  const short = flite ? await spokenOnPhone('Please call me back tomorrow.') : null
  const spoken = [
    { samples: long as Int16Array, word: /appointment/i },
    { samples: short as Int16Array, word: /call/i },
  ] as const

  describeVoiceDetector('loudness', async () => ({ vad: energyDetector, spoken: long as Int16Array }))
  if (fvad) describeVoiceDetector('fvad', async () => ({ vad: fvad as VoiceDetector, spoken: long as Int16Array }))
  if (recogniser)
    describeSpeechToText('moonshine', async () => ({ stt: recogniser as SpeechToText, language: 'en', spoken }))

  it.skipIf(!recogniser)('most words come through the telephone', async () => {
    const sentences = [
      'Hello, this is Ravi speaking.',
      'Yes, I would like to come on Tuesday at eleven.',
      'No, the second one is better for me.',
      'Could you please call me back in one hour?',
      'My number is nine eight four five five one two.',
    ]
    let [wrong, all] = [0, 0]
    for (const sentence of sentences) {
      const audio = await spokenOnPhone(sentence)
      for await (const { text } of (recogniser as SpeechToText).transcribe(once(audio), 'en', never)) {
        const heard = wordsOf(text)
        const said = wordsOf(sentence)
        all += said.length
        wrong += said.filter((word) => !heard.includes(word)).length
      }
    }
    // Digits come back as figures, and names as they may: a loose bound, far from the 96 % of a recogniser that is no use.
    expect(wrong / all).toBeLessThan(0.4)
  })
})

async function* once(samples: Int16Array): AsyncGenerator<Int16Array> {
  yield samples
}
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z']+/g) ?? []

it('without its packages there is nobody, and that is no failure', async () => {
  const notThere = () => {
    throw Object.assign(new Error('no'), { code: 'MODULE_NOT_FOUND' })
  }
  expect(await createMoonshineRecogniser({ locate: notThere })).toBeNull()
  const notLoaded = () => Promise.reject(Object.assign(new Error('no'), { code: 'ERR_MODULE_NOT_FOUND' }))
  expect(await createFvadDetector(notLoaded)).toBeNull()
})
