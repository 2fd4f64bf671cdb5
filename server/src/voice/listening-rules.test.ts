import { describe, expect, it } from 'vitest'
import { isBackChannel } from './back-channels.ts'
import { createBeepDetector } from './beep.ts'
import { isDictating } from './endpointing.ts'
import { energyDetector } from './energy-vad.ts'
import { soundsLikeVoicemail } from './voicemail.ts'

const sine = (ms: number, ...hertz: number[]) =>
  Int16Array.from({ length: ms * 8 }, (_, i) =>
    hertz.reduce((sum, each) => sum + 4_000 * Math.sin((2 * Math.PI * each * i) / 8_000), 0),
  )
const framesOf = (samples: Int16Array) =>
  Array.from({ length: samples.length / 160 }, (_, frame) => samples.subarray(160 * frame, 160 * (frame + 1)))
const silence = new Int16Array(160)

describe('dictating', () => {
  it.each([
    'my number is nine eight four',
    'My number is 98450',
    'my e-mail address is',
    'it is ravi at',
    'R A V I',
    'double nine eight four',
    'मेरा नंबर नौ आठ चार',
  ])('goes on after: %s', (text) => expect(isDictating(text)).toBe(true))

  it.each([
    'yes please',
    'at ten',
    'two',
    'Monday at 10',
    'on the 14th at 10 30',
    'in 2027',
    'the second one',
    'nine eight four five five one two three four zero',
    '98455 51234',
    'ravi at example dot com',
    'my e-mail is ravi@example.com.',
    'I',
    '',
  ])('has ended after, or never was: %s', (text) => expect(isDictating(text)).toBe(false))
})

it('a "go on" is one only when there is nothing else in it', () => {
  expect(['Okay.', 'Mm-hm.', 'Yeah, right', 'uh huh, okay'].every((text) => isBackChannel(text, 'en-IN'))).toBe(true)
  expect(['okay but wait', 'no', 'yes I want that', ''].some((text) => isBackChannel(text, 'en'))).toBe(false)
  expect(isBackChannel('ठीक है', 'hi')).toBe(true)
  expect(isBackChannel('hello', 'en')).toBe(false)
  expect(isBackChannel('hello', 'en', { greeting: true })).toBe(true)
})

describe('the tone of a machine', () => {
  const beepsIn = (samples: Int16Array) => {
    const detector = createBeepDetector()
    return [...framesOf(samples), silence, silence].filter((frame) => detector.hear(frame).beep).length
  }
  it.each([440, 525, 850, 1_000, 1_004, 1_400, 2_000])('of %d Hz is heard, once', (hertz) => {
    expect(beepsIn(sine(400, hertz))).toBe(1)
  })
  it('is no key, no busy tone, no click, no hum and no noise', () => {
    const noise = Int16Array.from({ length: 8_000 }, (_, i) => ((i * 7_919) % 9_001) - 4_500)
    for (const other of [sine(400, 770, 1_336), sine(500, 480, 620), sine(100, 1_000), sine(400, 150), noise])
      expect(beepsIn(other)).toBe(0)
  })
})

it('loudness tells a voice from a quiet line, and a line that hums from a voice', () => {
  const activity = energyDetector.open()
  const hum = framesOf(sine(20_000, 100).map((sample) => sample / 20))
  for (const frame of hum) activity.isVoice(frame)
  expect(activity.isVoice(hum[0] as Int16Array)).toBe(false)
  expect(activity.isVoice(sine(20, 300))).toBe(true)
})

it.each([
  'कृपया बीप के बाद संदेश छोड़ें',
  'Deje su mensaje después del tono',
  'బీప్ తర్వాత మీ సందేశాన్ని వదలండి',
  'Please leave your message after the tone',
])('a machine is known by its words: %s', (text) => expect(soundsLikeVoicemail(text)).toBe(true))
