import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agree, createAnswer, createOffer, isHeldBy, type Srtp } from './negotiate.ts'
import { type Direction, formatSdp, parseSdp, SdpError } from './sdp.ts'

const local = { address: '192.0.2.1', port: 40_000 }
const far = { address: '198.51.100.7', port: 50_000 }
const offerOf = (srtp: Srtp = 'off', direction: Direction = 'sendrecv') =>
  parseSdp(formatSdp(createOffer(local, srtp, { id: '1', version: 1 }, direction), local.address))
const answerTo = (offer: ReturnType<typeof offerOf>, srtp: Srtp = 'off') =>
  parseSdp(formatSdp(createAnswer(offer, far, srtp, { id: '2', version: 1 }, null), far.address))
const text = (media: string, common = 'c=IN IP4 198.51.100.7') =>
  `v=0\r\no=- 1 1 IN IP4 x\r\ns=-\r\n${common}\r\nt=0 0\r\n${media}\r\n`

describe('a description of sound', () => {
  it('offered and answered adds up to the same on both sides', () => {
    const offer = offerOf()
    const answer = answerTo(offer)
    expect(agree(offer, answer, 'off')).toEqual({
      remote: { address: '198.51.100.7', port: 50_000, rtcpPort: 50_001 },
      codec: { name: 'PCMU', payload: 0 },
      keys: { send: 101, receive: 101 },
      srtp: null,
      sends: true,
      receives: true,
    })
    expect(agree(answer, offer, 'off').remote).toEqual({ address: '192.0.2.1', port: 40_000, rtcpPort: 40_001 })
  })

  it('takes what the other side prefers, under its own numbers', () => {
    const lines =
      'm=audio 6000 RTP/AVP 18 96 8 97\r\na=rtpmap:96 pcma/8000\r\na=rtpmap:97 telephone-event/8000\r\na=ptime:30\r\na=rtcp:7001 IN IP4 x'
    const offer = parseSdp(text(lines))
    const own = createAnswer(offer, local, 'off', { id: '1', version: 1 }, null)
    expect(agree(own, offer, 'off')).toMatchObject({
      codec: { name: 'PCMA', payload: 96 },
      keys: { send: 97, receive: 97 },
      remote: { rtcpPort: 7_001 },
    })
  })

  it('answers every medium in its place; what we do not carry gets port 0', () => {
    const offer = parseSdp(text('m=video 7000 RTP/AVP 31\r\nm=audio 6000 RTP/AVP 0\r\nm=image 9 udptl t38'))
    const answer = formatSdp(createAnswer(offer, local, 'off', { id: '1', version: 1 }, null), local.address)
    expect(answer.match(/^m=.*/gm)).toEqual(['m=video 0 RTP/AVP 31', 'm=audio 40000 RTP/AVP 0', 'm=image 0 udptl t38'])
  })

  it.each([
    ['a=sendonly', true, { sends: false, receives: true }],
    ['a=inactive', true, { sends: false, receives: false }],
    ['a=recvonly', false, { sends: true, receives: false }],
    ['c=IN IP4 0.0.0.0', true, { sends: false, receives: true }],
    ['a=sendrecv', false, { sends: true, receives: true }],
  ])('%s: held is %s', (line, held, flows) => {
    const offer = parseSdp(text(`m=audio 6000 RTP/AVP 0\r\n${line}`))
    expect(isHeldBy(offer)).toBe(held)
    expect(agree(createAnswer(offer, local, 'off', { id: '1', version: 1 }, null), offer, 'off')).toMatchObject(flows)
  })

  it('a direction for the whole session counts where a medium says nothing', () => {
    expect(isHeldBy(parseSdp(text('m=audio 6000 RTP/AVP 0', 'c=IN IP4 198.51.100.7\r\na=sendonly')))).toBe(true)
  })

  it('keys cross; what must be encrypted is encrypted or refused', () => {
    for (const srtp of ['offer', 'require'] as const) {
      const offer = offerOf(srtp)
      expect(offer.media[0]?.protocol).toBe(srtp === 'require' ? 'RTP/SAVP' : 'RTP/AVP')
      const answer = answerTo(offer, 'offer')
      const [ours, theirs] = [agree(offer, answer, srtp).srtp, agree(answer, offer, srtp).srtp]
      expect(ours).toEqual({
        suite: 'AES_CM_128_HMAC_SHA1_80',
        localKey: theirs?.remoteKey,
        remoteKey: theirs?.localKey,
      })
    }
    expect(agree(offerOf('offer'), answerTo(offerOf('offer')), 'offer').srtp).toBeNull()
    expect(() => answerTo(offerOf('require'), 'off')).toThrow(SdpError)
    expect(() => answerTo(offerOf('off'), 'require')).toThrow(SdpError)
    expect(() => agree(offerOf('require'), answerTo(offerOf('off')), 'require')).toThrow(SdpError)
  })

  it.each([
    ['a host by name', 'media.carrier.test'],
    ['an address of the other family', '2001:db8::1'],
  ])('that names %s is refused: sound goes to addresses like ours', (_what, address) => {
    const offer = parseSdp(text('m=audio 6000 RTP/AVP 0', `c=IN IP4 ${address}`))
    const own = createAnswer(offer, local, 'off', { id: '1', version: 1 }, null)
    expect(() => agree(own, offer, 'off')).toThrow(SdpError)
  })

  it('a key of the wrong length is no key', () => {
    const short = parseSdp(text('m=audio 6000 RTP/SAVP 0\r\na=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:c2hvcnQ='))
    expect(() => createAnswer(short, local, 'offer', { id: '1', version: 1 }, null)).toThrow(SdpError)
  })

  it('our key stays the same when the call is refreshed', () => {
    const offer = offerOf('require')
    const first = createAnswer(offer, far, 'require', { id: '2', version: 1 }, null)
    const second = createAnswer(offer, far, 'require', { id: '2', version: 1 }, first)
    expect(second.media[0]?.crypto).toEqual(first.media[0]?.crypto)
  })

  it.each([
    ['is no description', 'hello'],
    ['has an unreadable m= line', text('m=audio six RTP/AVP 0')],
    ['has a port beyond all ports', text('m=audio 70000 RTP/AVP 0')],
    ['names a hundred media', text('m=audio 1 RTP/AVP 0\r\n'.repeat(100))],
  ])('is refused when it %s', (_what, broken) => {
    expect(() => parseSdp(broken)).toThrow(SdpError)
  })

  it('of any text at all throws SdpError or nothing', () => {
    const piece = fc.constantFrom(
      'v=0',
      'm=audio 5 RTP/AVP 0',
      'c=IN IP4 1.2.3.4',
      'a=rtpmap:0 PCMU/8000',
      'a=crypto:1 X inline:',
      '\r\n',
      'a=',
      '=',
      ' ',
    )
    const any = fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }).map((parts) => `v=0\r\n${parts.join('\r\n')}`)
    fc.assert(
      fc.property(any, (broken) => {
        try {
          const sdp = parseSdp(broken)
          agree(createAnswer(sdp, local, 'offer', { id: '1', version: 1 }, null), sdp, 'offer')
        } catch (error) {
          if (!(error instanceof SdpError)) throw error
        }
      }),
      { numRuns: 500 },
    )
  })
})
