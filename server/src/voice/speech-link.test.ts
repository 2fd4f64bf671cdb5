import { describe, expect, it } from 'vitest'
import { anySound, createTestLine, createWordBook, msPerWord, wordsIn, wordVoice } from '../../test/speech/line.ts'
import { createSpeechLink } from './speech-link.ts'
import type { TurnDelay } from './turn-delay.ts'

const never = new AbortController().signal
const ten = 'one two three four five six seven eight nine ten'

function setUp({ takesMs = 0, early = false, voiceMs = 0 } = {}) {
  const line = createTestLine()
  const book = createWordBook(line)
  const delays: TurnDelay[] = []
  const link = createSpeechLink({
    audio: line.audio,
    stt: book.recogniser({ takesMs, early }),
    tts: wordVoice(line, { takesMs: voiceMs }),
    vad: anySound,
    nowMs: line.nowMs,
    onTurnDelay: (delay) => delays.push(delay),
  })
  return { line, book, link, delays }
}
const listen = (link: ReturnType<typeof setUp>['link'], silenceSeconds = 8) => link.listen({ silenceSeconds }, never)

describe('listening', () => {
  it('hears a turn once the callee has paused for a good half second', async () => {
    const { line, book, link } = setUp()
    book.says(1_000, 'hello there', 600)
    expect(await listen(link)).toEqual({ type: 'speech', text: 'hello there', startedAt: 1 })
    expect(line.nowMs()).toBeGreaterThanOrEqual(2_100)
    expect(line.nowMs()).toBeLessThanOrEqual(2_240)
    line.hangUp(0)
  })

  it('joins what is said with short pauses, and waits out a slow recogniser', async () => {
    const { line, book, link } = setUp({ takesMs: 900 })
    book.says(500, 'I would like', 500)
    book.says(1_450, 'to come on Monday', 700)
    expect(await listen(link)).toMatchObject({ text: 'I would like to come on Monday', startedAt: 0.5 })
    line.hangUp(0)
  })

  it('waits up to three seconds while a number or an address is dictated', async () => {
    const { line, book, link } = setUp()
    book.says(500, 'my number is nine eight four', 900)
    book.says(3_800, 'five five one two three four', 900)
    book.says(7_000, 'zero', 300)
    expect(await listen(link)).toMatchObject({
      text: 'my number is nine eight four five five one two three four zero',
    })
    line.hangUp(0)
  })

  it('is told of silence after the time asked for; noise without words is silence', async () => {
    const { line, book, link } = setUp()
    book.says(1_000, '', 300)
    expect(await listen(link, 4)).toEqual({ type: 'silence' })
    expect(link.seconds()).toBeCloseTo(4, 1)
    line.hangUp(0)
  })

  it('takes pressed keys for words', async () => {
    const { line, link } = setUp()
    for (const [index, key] of ['1', '2', '3'].entries()) line.press(1_000 + 400 * index, key)
    expect(await listen(link)).toEqual({ type: 'speech', text: '1 2 3', startedAt: 1 })
    line.press(line.nowMs() + 100, '7')
    line.press(line.nowMs() + 200, '#')
    const before = line.nowMs()
    expect(await listen(link)).toMatchObject({ text: '7' })
    expect(line.nowMs() - before).toBeLessThan(500)
    line.hangUp(0)
  })

  it('hears the tone of a machine, also over the agent', async () => {
    const { line, link } = setUp()
    const tone = Int16Array.from({ length: 400 * 8 }, (_, i) => 6_000 * Math.sin((2 * Math.PI * 1_000 * i) / 8_000))
    line.sound(800, tone)
    const said = await link.say(ten, 'en', never)
    expect(said.heard).toBe('one two three four')
    expect(await listen(link)).toEqual({ type: 'beep' })
    line.hangUp(0)
  })

  it('a message after the tone is not cut short by the words before it, however late they are understood', async () => {
    const { line, book, link } = setUp({ takesMs: 600 })
    book.says(200, 'after the tone', 900)
    const tone = Int16Array.from({ length: 400 * 8 }, (_, i) => 6_000 * Math.sin((2 * Math.PI * 1_000 * i) / 8_000))
    line.sound(1_200, tone)
    expect(await listen(link)).toEqual({ type: 'beep' })
    expect((await link.say(ten, 'en', never)).heard).toBe(ten)
    line.hangUp(0)
  })

  it('ends when the line has gone', async () => {
    const { line, link } = setUp()
    line.hangUp(700)
    expect(await listen(link)).toEqual({ type: 'gone' })
    expect((await link.say('hello', 'en', never)).heard).toBe('')
  })
})

describe('speaking over the agent', () => {
  it('stops it at once, and what was heard is what was played', async () => {
    const { line, book, link } = setUp()
    book.says(700, 'wait please', 1_000)
    const said = await link.say(ten, 'en', never)
    expect(said.heard).toBe('one two three')
    const words = wordsIn(line.played)
    expect(words).toEqual([0, 1, 2, 3])
    // Quiet within half a second of the first sound, however much was queued.
    expect(line.played.length / 8).toBeLessThan(700 + 500)
    expect(await listen(link)).toMatchObject({ text: 'wait please', startedAt: 0.7 })
    line.hangUp(0)
  })

  it('a short sound does not stop it', async () => {
    const { line, book, link } = setUp()
    book.says(700, '', 200)
    expect((await link.say(ten, 'en', never)).heard).toBe(ten)
    expect(line.nowMs()).toBeLessThan(10 * msPerWord + 200)
    line.hangUp(0)
  })

  it('a noise halts it, and it goes on at the very sample after two seconds', async () => {
    const { line, book, link } = setUp()
    book.says(700, '', 600)
    expect((await link.say(ten, 'en', never)).heard).toBe(ten)
    expect(wordsIn(line.played)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(line.played).toHaveLength(10 * msPerWord * 8)
    expect(line.nowMs()).toBeGreaterThanOrEqual(10 * msPerWord + 2_000)
    line.hangUp(0)
  })

  it.each([
    ['en', 'mm-hm, okay'],
    ['hi', 'haan ji'],
    ['te', 'avunu'],
    ['ta', 'ஆமா, சரி'],
    ['es', 'sí, claro'],
  ])('a listener who says "go on" (%s: %s) is not answered', async (language, words) => {
    const { line, book, link } = setUp({ early: true })
    await link.say('hello', language, never)
    book.says(line.nowMs() + 400, words, 700)
    const startedMs = line.nowMs()
    expect((await link.say(ten, language, never)).heard).toBe(ten)
    // Not even halted: the words were known in time.
    expect(line.nowMs() - startedMs).toBeLessThan(10 * msPerWord + 100)
    expect(await listen(link, 2)).toEqual({ type: 'silence' })
    line.hangUp(0)
  })

  it('a "go on" that is understood late costs a short halt and no word', async () => {
    const { line, book, link } = setUp({ takesMs: 200 })
    await link.say('hello', 'en', never)
    book.says(line.nowMs() + 400, 'okay okay', 600)
    expect((await link.say(ten, 'en', never)).heard).toBe(ten)
    line.hangUp(0)
  })

  it('a "yes" into the last word of a question is its answer', async () => {
    const { line, book, link } = setUp()
    await link.say('hello', 'en', never)
    book.says(line.nowMs() + 10 * msPerWord - 150, 'yes', 300)
    expect((await link.say(ten, 'en', never)).heard).toBe(ten)
    expect(await listen(link)).toMatchObject({ text: 'yes' })
    line.hangUp(0)
  })

  it('whoever picks up with "hello?" does not cut the greeting short', async () => {
    const { line, book, link } = setUp({ early: true })
    book.says(200, 'Hello?', 500)
    expect((await link.say(ten, 'en', never)).heard).toBe(ten)
    line.hangUp(0)
  })

  it('pressed keys stop it', async () => {
    const { line, link } = setUp()
    line.press(700, '5')
    expect((await link.say(ten, 'en', never)).heard).toBe('one two')
    expect(await listen(link)).toMatchObject({ type: 'speech', text: '5' })
    line.hangUp(0)
  })
})

describe('the delay of a turn', () => {
  it('is measured from the last sound of the callee to the first of the agent, part by part', async () => {
    const { line, book, link, delays } = setUp({ takesMs: 500, voiceMs: 120 })
    book.says(1_000, 'hello there', 600)
    await listen(link)
    await line.after(240)
    await link.say('hello', 'en', never)
    expect(delays).toEqual([{ endpointing: 560, stt: 300, brain: 240, tts: 120, total: 1_220 }])
    await link.say('again', 'en', never)
    expect(delays).toHaveLength(1)
    line.hangUp(0)
  })

  it('the same call has the same log every time', async () => {
    const run = async () => {
      const { line, book, link, delays } = setUp({ takesMs: 180, voiceMs: 60 })
      book.says(900, 'wait', 700)
      book.says(4_000, '', 500)
      const log: unknown[] = [await link.say(ten, 'en', never), await listen(link)]
      log.push(await link.say(ten, 'en', never), await listen(link, 2), line.nowMs(), delays)
      line.hangUp(0)
      return log
    }
    expect(await run()).toEqual(await run())
  })
})

it('a voice that fails before its first sound is an error; a recogniser that always fails too', async () => {
  const line = createTestLine()
  const book = createWordBook(line)
  const link = createSpeechLink({
    audio: line.audio,
    stt: {
      understands: () => true,
      // biome-ignore lint/correctness/useYield: it fails before.
      async *transcribe() {
        throw new Error('deaf')
      },
    },
    tts: {
      speaks: () => false,
      say: () => {
        throw new Error('No voice is installed for this language')
      },
    },
    vad: anySound,
    nowMs: line.nowMs,
  })
  await expect(link.say('hello', 'xx', never)).rejects.toThrow('No voice')
  for (let each = 0; each < 3; each += 1) book.says(500 + 1_500 * each, 'hello', 400)
  await expect(listen(link)).rejects.toThrow('cannot be recognised')
  line.hangUp(0)
})
