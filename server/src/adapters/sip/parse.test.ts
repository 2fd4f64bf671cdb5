import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SipParseError } from './grammar.ts'
import { headerOf, valuesOf } from './message.ts'
import { parseMessage } from './parse.ts'
import { serialise } from './serialise.ts'

const lines = (...each: string[]) => Buffer.from(`${each.join('\r\n')}\r\n\r\n`)
const invite = [
  'INVITE sip:+15005550001@carrier.test SIP/2.0',
  'Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK1;rport',
  'From: "A, \\"B\\" <C>" <sip:a@example.test>;tag=1',
  'To: <sip:b@example.test;user=phone>',
  'Call-ID: abc@example.test',
  'CSeq: 7 INVITE',
]

describe('a SIP message', () => {
  it('is read whatever way its headers are written', () => {
    const message = parseMessage(
      lines(
        'INVITE sip:b@example.test SIP/2.0',
        'v: SIP / 2.0 / UDP first.test : 5060 ;branch=z9hG4bKa, SIP/2.0/TCP second.test;branch=z9hG4bKb',
        'Via: SIP/2.0/TLS [2001:db8::1]:5061;branch=z9hG4bKc;received=192.0.2.9',
        'f: sip:a@example.test;tag=from',
        'TO :   "Bob"',
        '   <sip:b@example.test>',
        'i: x',
        'CSEQ: 1   INVITE',
        'k: 100rel,timer',
        'Supported: replaces',
      ),
    )
    expect(message.vias.map(({ transport, host, port }) => [transport, host, port])).toEqual([
      ['UDP', 'first.test', 5060],
      ['TCP', 'second.test', null],
      ['TLS', '2001:db8::1', 5061],
    ])
    expect(message.from.params.get('tag')).toBe('from')
    expect(message.to).toMatchObject({ display: 'Bob', uri: 'sip:b@example.test' })
    expect(valuesOf(message, 'supported')).toEqual(['100rel', 'timer', 'replaces'])
  })

  it('keeps quoted commas and brackets together', () => {
    const message = parseMessage(lines(...invite))
    expect(message.from).toMatchObject({ display: 'A, "B" <C>', uri: 'sip:a@example.test' })
    expect(message.to.uri).toBe('sip:b@example.test;user=phone')
  })

  it('has the body that was announced: less is refused, more is cut off', () => {
    const announced = (length: string) =>
      Buffer.concat([lines(...invite, `Content-Length: ${length}`), Buffer.from('12345')])
    expect(parseMessage(announced('5')).body.toString()).toBe('12345')
    expect(parseMessage(announced('3')).body.toString()).toBe('123')
    for (const wrong of ['6', '-1', '1e1', '', '5\r\nContent-Length: 4', '999999999999']) {
      expect(() => parseMessage(announced(wrong)), wrong).toThrow(SipParseError)
    }
  })

  it.each([
    ['nothing', ''],
    ['half of one', invite.join('\r\n')],
    ['another protocol', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['no Via', `${invite.filter((line) => !line.startsWith('Via')).join('\r\n')}\r\n\r\n`],
    ['a CSeq of another method', `${invite.join('\r\n').replace('7 INVITE', '7 BYE')}\r\n\r\n`],
    ['a CSeq beyond all numbers', `${invite.join('\r\n').replace('7 INVITE', '4294967296 INVITE')}\r\n\r\n`],
    ['a NUL', `${invite.join('\r\n')}\r\nX: \0\r\n\r\n`],
    ['headers without end', `${invite.join('\r\n')}\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`],
    ['a thousand headers', `${invite.join('\r\n')}\r\n${'X: y\r\n'.repeat(1_000)}\r\n`],
    ['a lone carriage return', `${invite.join('\r\n')}\r\nX: a\rVia: b\r\n\r\n`],
  ])('is refused when it is %s', (_what, text) => {
    expect(() => parseMessage(Buffer.from(text))).toThrow(SipParseError)
  })

  it('made of any bytes at all throws SipParseError or nothing, and never hangs', () => {
    const tryIt = (bytes: Buffer) => {
      try {
        parseMessage(bytes)
      } catch (error) {
        if (!(error instanceof SipParseError)) throw error
      }
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => tryIt(Buffer.from(bytes))),
      { numRuns: 500 },
    )
    const whole = lines(...invite, 'Content-Length: 0')
    const damage = fc.array(
      fc.tuple(fc.nat(whole.length - 1), fc.constantFrom(...'<>";,:@ \r\n\0=%()[]\\'.split(''))),
      { maxLength: 8 },
    )
    fc.assert(
      fc.property(damage, fc.nat(whole.length), (changes, length) => {
        const bytes = Buffer.from(whole)
        for (const [index, char] of changes) bytes.write(char, index, 'latin1')
        tryIt(bytes)
        tryIt(bytes.subarray(0, length))
      }),
      { numRuns: 2_000 },
    )
  })

  it.each(['"', '<', ';', ',', ' ', '\t', '(', '\\"', '=;', '[:'])(
    'of thirty thousand times %j is read or refused at once',
    (piece) => {
      const huge = piece.repeat(Math.floor(30_000 / piece.length))
      for (const header of ['Via', 'From', 'To', 'CSeq', 'Contact', 'Content-Length']) {
        const bytes = lines(...invite.filter((line) => !line.startsWith(header)), `${header}: ${huge}`)
        try {
          parseMessage(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(SipParseError)
        }
      }
    },
  )

  it('written and read again is the same', () => {
    const message = parseMessage(lines(...invite, 'Content-Length: 0'))
    const again = parseMessage(serialise(message))
    expect({ ...again, headers: null }).toEqual({ ...message, headers: null })
    expect(headerOf(again, 'call-id')).toBe('abc@example.test')
  })

  it('never carries a line break of somebody else into a header', () => {
    const message = parseMessage(lines(...invite))
    const headers = [...message.headers, ['x-note', 'a\r\nVia: evil'] as const]
    expect(() => serialise({ ...message, headers })).toThrow('line break')
  })
})
