import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEventParser, readEvents } from './llm-stream.ts'

const parse = (text: string) => createEventParser().push(text)
async function* chunksOf(bytes: Uint8Array, cuts: number[]) {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  for (const [at, from] of places.entries()) yield bytes.slice(from, places[at + 1] ?? bytes.length)
}

describe('server-sent events', () => {
  it.each<[string, string, string[]]>([
    ['one line', 'data: a\n\n', ['a']],
    ['no space after the colon', 'data:a\n\n', ['a']],
    ['only the first space is taken off', 'data:  a\n\n', [' a']],
    ['several lines are one event', 'data: a\ndata: b\ndata\n\n', ['a\nb\n']],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['CR', 'data: a\r\rdata: b\r\r:', ['a', 'b']],
    ['comments and other fields', ': hello\nevent: x\nid: 1\nretry: 5\ndata: a\ndatas: b\n\n', ['a']],
    ['an event without data is none', 'event: x\n\n\n\n: ping\n\n', []],
    ['an event without its blank line is none', 'data: a\n\ndata: b\n', ['a']],
    ['[DONE] is data like any other', 'data: [DONE]\n\n', ['[DONE]']],
  ])('%s', (_, text, events) => {
    expect(parse(text)).toEqual(events)
  })

  it('are the same however the bytes are cut', async () => {
    const anyLine = fc.string({ unit: 'grapheme' }).map((line) => line.replace(/[\r\n\ufeff]/g, ''))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyLine, { minLength: 1, maxLength: 3 }), { maxLength: 5 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.nat(), { maxLength: 20 }),
        async (events, newline, cuts) => {
          const lines = events.flatMap((event) => [...event.map((line) => `data: ${line}`), ': comment', ''])
          const bytes = new TextEncoder().encode(`${lines.join(newline)}${newline}:`)
          const seen: string[] = []
          for await (const event of readEvents(chunksOf(bytes, cuts))) seen.push(event)
          expect(seen).toEqual(events.map((event) => event.join('\n')))
        },
      ),
    )
  })

  it('end with a failure when one is endless', () => {
    const parser = createEventParser()
    expect(() => parser.push('data: x\n'.repeat(20_000))).toThrow(/not a chat completion/)
    expect(() => parser.push('x'.repeat(200_000))).toThrow(/not a chat completion/)
  })
})
