import { expect, it } from 'vitest'
import type { SpeechToText, TextToSpeech } from '../../voice/ports.ts'
import { recogniserWithFallback, voiceWithFallback } from './with-fallbacks.ts'

const never = new AbortController().signal
const agent = { language: 'en', speaker: 'agent' } as const

function voice(level: number, { languages = ['en'], failsAfter = Number.POSITIVE_INFINITY } = {}): TextToSpeech {
  return {
    speaks: (language) => languages.includes(language),
    async *say() {
      for (let at = 0; at < 3; at += 1) {
        if (at >= failsAfter) throw new Error('broken')
        yield Int16Array.of(level)
      }
    },
  }
}
const said = async (tts: TextToSpeech, language = 'en') => {
  const levels: number[] = []
  try {
    for await (const [level = 0] of tts.say('x', { ...agent, language }, never)) levels.push(level)
  } catch (error) {
    return [...levels, (error as Error).message]
  }
  return levels
}

it('the local voice speaks when the other fails before its first sound, and rests it for a while', async () => {
  let now = 0
  const failures: unknown[] = []
  let works = false
  const cloud: TextToSpeech = {
    speaks: () => true,
    say: (...args) => voice(1, { failsAfter: works ? 3 : 0 }).say(...args),
  }
  const options = { nowMs: () => now, onFailure: (error: unknown) => failures.push(error) }
  const tts = voiceWithFallback(cloud, voice(2), options)
  expect(await said(tts)).toEqual([2, 2, 2])
  works = true
  expect(await said(tts)).toEqual([2, 2, 2])
  expect(failures).toHaveLength(1)
  // A language the local one lacks is tried all the same.
  expect(await said(tts, 'hi')).toEqual([1, 1, 1])
  now = 31_000
  expect(await said(tts)).toEqual([1, 1, 1])
})

it('a voice that fails in the middle is not begun again by another', async () => {
  const options = { nowMs: () => 0, onFailure: () => {} }
  expect(await said(voiceWithFallback(voice(1, { failsAfter: 1 }), voice(2), options))).toEqual([1, 'broken'])
  expect(await said(voiceWithFallback(voice(1, { failsAfter: 0 }), null, options))).toEqual(['broken'])
})

it('the local recogniser hears the whole stretch again, also what comes after the failure', async () => {
  const cloud: SpeechToText = {
    understands: () => true,
    async *transcribe(audio) {
      for await (const _ of audio) {
        yield { text: 'half', final: false }
        throw new Error('dropped')
      }
    },
  }
  const local: SpeechToText = {
    understands: (language) => language === 'en',
    async *transcribe(audio) {
      const levels: number[] = []
      for await (const [level = 0] of audio) levels.push(level)
      yield { text: levels.join(' '), final: true }
    },
  }
  async function* stretch() {
    for (const level of [1, 2, 3]) yield Int16Array.of(level)
  }
  const stt = recogniserWithFallback(cloud, local, { nowMs: () => 0, onFailure: () => {} })
  const heard = async (language: string) => {
    const all: string[] = []
    for await (const { text } of stt.transcribe(stretch(), language, never)) all.push(text)
    return all
  }
  expect(await heard('en')).toEqual(['half', '1 2 3'])
  expect(await heard('en')).toEqual(['1 2 3'])
  await expect(heard('hi')).rejects.toThrow('dropped')
})
