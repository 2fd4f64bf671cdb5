import { describe, expect, it } from 'vitest'
import { dialledNumbers } from './dialled.ts'
import { parseMessage } from './parse.ts'
import type { Trunk } from './trunk.ts'

const trunk = (more: Partial<Trunk> = {}): Trunk => ({
  name: 'trk_1',
  host: 'carrier.test',
  transport: 'udp',
  user: 'acme',
  register: true,
  srtp: 'off',
  ...more,
})
const dialled = (uri: string, to: string, trunks: Trunk[], more: string[] = []) => {
  const message = parseMessage(
    Buffer.from(
      [
        `INVITE sip:${uri}@192.0.2.1 SIP/2.0`,
        'Via: SIP/2.0/UDP 192.0.2.9;branch=z9hG4bK1',
        'From: <sip:+15005550001@carrier.test>;tag=1',
        `To: <sip:${to}@carrier.test>`,
        'Call-ID: a',
        'CSeq: 1 INVITE',
        ...more,
        '\r\n',
      ].join('\r\n'),
    ),
  )
  if (message.kind !== 'request') throw new Error('It is an answer.')
  return dialledNumbers(message, trunks)
}

describe('which number a call is for', () => {
  it('the Request-URI says it, whatever To says, when nobody registered by that name', () => {
    expect(dialled('+14155550100', '+14155559999', [trunk()])).toEqual(['+14155550100'])
    expect(dialled('acme', '+14155550100', [trunk({ register: false })])).toEqual(['acme'])
  })

  it('the account we registered stands in the Request-URI: To says it', () => {
    expect(dialled('acme', '+14155550100', [trunk({ user: 'other' }), trunk()])).toEqual(['+14155550100', 'acme'])
  })

  it('the account is a number of its own: To first, then the account, for a call that was forwarded to it', () => {
    const one = trunk({ user: '4155550100' })
    expect(dialled('4155550100', '+14155550101', [one])).toEqual(['+14155550101', '4155550100'])
    expect(dialled('4155550100', '4155550100', [one])).toEqual(['4155550100'])
  })

  it('a carrier that names the called party is believed before To; what cannot be read is passed over', () => {
    const called = ['P-Called-Party-ID: <sip:+14155550102@carrier.test>']
    expect(dialled('acme', '+14155550100', [trunk()], called)).toEqual(['+14155550102', '+14155550100', 'acme'])
    expect(dialled('acme', '+14155550100', [trunk()], ['P-Called-Party-ID: <'])).toEqual(['+14155550100', 'acme'])
  })
})
