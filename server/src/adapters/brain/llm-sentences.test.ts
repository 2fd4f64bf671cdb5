import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSentences, cutAtWord, speakable } from './llm-sentences.ts'

function cutUp(...pieces: string[]): string[] {
  const sentences = createSentences()
  const whole = pieces.flatMap((piece) => sentences.push(piece))
  return [...whole, sentences.unfinished()].map(speakable).filter((each) => each !== '')
}

describe('sentences', () => {
  it.each<[string, string[]]>([
    ['Good morning. How are you?', ['Good morning.', 'How are you?']],
    ['It is 3.5 km. Or 4!', ['It is 3.5 km.', 'Or 4!']],
    ['See parley.test today.', ['See parley.test today.']],
    ['I am Dr. Rao. Mr. J. Smith sent me.', ['I am Dr. Rao.', 'Mr. J. Smith sent me.']],
    ['At 10 a.m. on Monday? Fine.', ['At 10 a.m. on Monday?', 'Fine.']],
    ['He said "yes." Good.', ['He said "yes."', 'Good.']],
    ['First line\nSecond line', ['First line', 'Second line']],
    ['1. Monday 2. Tuesday', ['1. Monday 2.', 'Tuesday']],
    ['नमस्ते। आप कैसे हैं?', ['नमस्ते।', 'आप कैसे हैं?']],
    ['您好。明天可以吗？好', ['您好。', '明天可以吗？', '好']],
    ['Wait... what?! Yes', ['Wait...', 'what?!', 'Yes']],
  ])('%s', (text, wanted) => {
    expect(cutUp(text)).toEqual(wanted)
    expect(cutUp(...text)).toEqual(wanted)
  })

  it('lose no word, however the text comes', () => {
    const word = fc.constantFrom('Dr.', 'yes.', 'no!', 'a', '3.5', 'well…', 'हाँ।', '\n', 'ok?')
    fc.assert(
      fc.property(fc.array(fc.array(word, { maxLength: 5 })), (pieces) => {
        const texts = pieces.map((words) => `${words.join(' ')} `)
        expect(cutUp(...texts).join(' ')).toBe(speakable(texts.join('')))
      }),
    )
  })

  it('leave out what a model thinks before it speaks', () => {
    expect(cutUp('<th', 'ink>Hm. The caller wants. ', 'More.</thi', 'nk>\n\nYes. Gladly.')).toEqual(['Yes.', 'Gladly.'])
    expect(cutUp('<think>Hm. It never stops. ')).toEqual([])
  })
})

describe('spoken text', () => {
  it.each([
    ['**Monday** at `ten`', 'Monday at ten'],
    ['## Times', 'Times'],
    ['- Monday', 'Monday'],
    ['a\0b\tc\n d\ud800', 'a b c d'],
    ['2 * 3', '2 * 3'],
    ['😀 ok', '😀 ok'],
  ])('%j is said as %j', (text, said) => {
    expect(speakable(text)).toBe(said)
  })

  it('is cut between words where there are any', () => {
    expect(cutAtWord('one two three', 9)).toBe('one two')
    expect(cutAtWord('onetwothree', 6)).toBe('onetwo')
  })
})
