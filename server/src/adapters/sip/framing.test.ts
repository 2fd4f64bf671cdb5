import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFrames } from './framing.ts'
import { SipParseError } from './grammar.ts'

const message = (body: string, length: number | string = body.length) =>
  `OPTIONS sip:x SIP/2.0\r\nCall-ID: 1\r\nContent-Length: ${length}\r\n\r\n${body}`

describe('a stream of messages', () => {
  it('is cut in the right places, however it arrives', () => {
    const texts = [
      message('hello'),
      message(''),
      message('a\r\n\r\nb'),
      message('ä'.repeat(3), 6).replace('Content-Length', 'l'),
    ]
    const stream = Buffer.from(texts.join('\r\n\r\n'))
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 100 }), (sizes) => {
        const frames = createFrames()
        const seen: string[] = []
        let at = 0
        for (let turn = 0; at < stream.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1
          seen.push(...frames.push(stream.subarray(at, at + size)).map(String))
          at += size
        }
        expect(seen).toEqual(texts)
      }),
      { numRuns: 100 },
    )
  })

  it('counts the pings between messages', () => {
    const frames = createFrames()
    expect(frames.push(Buffer.from('\r\n\r\n'))).toEqual([])
    expect(frames.pings()).toBe(1)
    expect(frames.push(Buffer.from(message('')))).toHaveLength(1)
  })

  it.each([
    ['has no length', 'OPTIONS sip:x SIP/2.0\r\nCall-ID: 1\r\n\r\n'],
    ['has two lengths', message('', '0\r\nContent-Length: 5')],
    ['has a length that is no number', message('', 'many')],
    ['is longer than anything reasonable', message('', 99_999_999)],
    ['never ends its headers', 'x'.repeat(40_000)],
  ])('is given up when a message %s', (_what, text) => {
    expect(() => createFrames().push(Buffer.from(text))).toThrow(SipParseError)
  })
})
