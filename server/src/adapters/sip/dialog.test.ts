import { describe, expect, it } from 'vitest'
import { acceptsSeq, dialogOfInvite, dialogOfResponse, nextHopUri, requestWithin } from './dialog.ts'
import { headerOf, type ReceivedRequest, type ReceivedResponse, type SipRequest } from './message.ts'
import { parseMessage } from './parse.ts'

const head = ['Via: SIP/2.0/UDP x.test;branch=z9hG4bK1', 'From: <sip:a@x.test>;tag=a', 'Call-ID: c', 'CSeq: 5 INVITE']
const answer = (...more: string[]) =>
  parseMessage(
    Buffer.from(['SIP/2.0 200 OK', ...head, 'To: <sip:b@x.test>;tag=b', ...more, '', ''].join('\r\n')),
  ) as ReceivedResponse
const invited = (...more: string[]) =>
  parseMessage(
    Buffer.from(['INVITE sip:us@x.test SIP/2.0', ...head, 'To: <sip:b@x.test>', ...more, '', ''].join('\r\n')),
  ) as ReceivedRequest
const invite = {
  kind: 'request',
  method: 'INVITE',
  uri: 'sip:b@x.test',
  headers: [],
  body: Buffer.alloc(0),
} satisfies SipRequest
const routes = (request: SipRequest) => request.headers.filter(([name]) => name === 'route').map(([, value]) => value)

describe('a dialog', () => {
  it('goes back along the recorded route, nearest proxy first, to the contact', () => {
    const dialog = dialogOfResponse(
      invite,
      answer('Record-Route: <sip:p2.test;lr>, <sip:p1.test;lr>', 'Contact: "B" <sip:b@phone.test:5070>;expires=5'),
      'a',
    )
    const bye = requestWithin(dialog, 'BYE')
    expect(bye.uri).toBe('sip:b@phone.test:5070')
    expect(routes(bye)).toEqual(['<sip:p1.test;lr>', '<sip:p2.test;lr>'])
    expect(nextHopUri(dialog)).toBe('sip:p1.test;lr')
    expect(headerOf(bye, 'cseq')).toBe('6 BYE')
    expect(headerOf(requestWithin(dialog, 'ACK', { cseq: 5 }), 'cseq')).toBe('5 ACK')
  })

  it('gives a strict router its way', () => {
    const dialog = dialogOfResponse(invite, answer('Record-Route: <sip:old.test>', 'Contact: <sip:b@phone.test>'), 'a')
    const bye = requestWithin(dialog, 'BYE')
    expect(bye.uri).toBe('sip:old.test')
    expect(routes(bye)).toEqual(['<sip:b@phone.test>'])
  })

  it('of a call that came in goes the other way round, and refuses what comes too late', () => {
    const dialog = dialogOfInvite(
      invited('Record-Route: <sip:p1.test;lr>', 'Record-Route: <sip:p2.test;lr>', 'Contact: <sip:a@phone.test>'),
      'us',
    )
    expect(dialog.routes).toEqual(['<sip:p1.test;lr>', '<sip:p2.test;lr>'])
    expect(dialog.local).toBe('<sip:b@x.test>;tag=us')
    expect(acceptsSeq(dialog, { ...invited(), cseq: { number: 4, method: 'BYE' } })).toBe(false)
    expect(acceptsSeq(dialog, { ...invited(), cseq: { number: 6, method: 'BYE' } })).toBe(true)
  })

  it('does without a contact or a route nobody can read', () => {
    const dialog = dialogOfResponse(invite, answer('Record-Route: <nonsense>', 'Contact: <mailto:b@x.test>'), 'a')
    expect(nextHopUri(dialog)).toBe('sip:b@x.test')
  })
})
