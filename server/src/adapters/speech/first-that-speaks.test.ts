import { expect, it } from 'vitest'
import type { TextToSpeech } from '../../voice/ports.ts'
import { firstThatSpeaks } from './first-that-speaks.ts'

const never = new AbortController().signal
const saying = (languages: string[], sample: number): TextToSpeech => ({
  speaks: (language) => languages.includes(language),
  async *say() {
    yield Int16Array.of(sample)
  },
})

it('has each language spoken by the first that can', async () => {
  const speech = firstThatSpeaks([null, saying(['en'], 1), saying(['en', 'hi'], 2)])
  const heard = async (language: string) => {
    for await (const samples of speech.say('x', { language, speaker: 'agent' }, never)) return samples[0]
  }
  expect([speech.speaks('en'), speech.speaks('hi'), speech.speaks('ta')]).toEqual([true, true, false])
  expect([await heard('en'), await heard('hi')]).toEqual([1, 2])
  await expect(heard('ta')).rejects.toThrow('No voice')
  expect(firstThatSpeaks([]).speaks('en')).toBe(false)
})
