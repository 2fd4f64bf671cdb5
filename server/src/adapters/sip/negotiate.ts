import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { type Direction, type PayloadFormat, type Sdp, type SdpCrypto, SdpError, type SdpMedia } from './sdp.ts'

/** Where our side of the sound is. The rest of the description is made here. */
export type LocalMedia = { address: string; port: number }
export type Srtp = 'off' | 'offer' | 'require'

/** What both sides agreed on: all that whoever carries the sound needs to know. */
export type AgreedMedia = {
  remote: { address: string; port: number; rtcpPort: number }
  codec: { name: 'PCMU' | 'PCMA'; payload: number }
  /** Payload types of RFC 4733 keys: each side is sent them under the number it gave. Null when the other side cannot. */
  keys: { send: number; receive: number } | null
  /** Keys of both directions (SRTP); null for plain RTP. */
  srtp: { suite: string; localKey: string; remoteKey: string } | null
  /** False while the other side holds us, or we hold it. */
  sends: boolean
  receives: boolean
}

const codecs: readonly PayloadFormat[] = [
  { payload: 0, name: 'PCMU', rate: 8_000 },
  { payload: 8, name: 'PCMA', rate: 8_000 },
]
const digits: PayloadFormat = { payload: 101, name: 'telephone-event', rate: 8_000 }
/** Each with the length of key and salt in bytes. */
const suites: Record<string, number> = { AES_CM_128_HMAC_SHA1_80: 30, AES_CM_128_HMAC_SHA1_32: 30 }

const isFormat = (format: PayloadFormat, name: string): boolean =>
  format.rate === 8_000 && format.name.toLowerCase() === name.toLowerCase()
const isUsable = ({ suite, key }: SdpCrypto): boolean => Buffer.from(key, 'base64').length === suites[suite]

function audioOf(local: LocalMedia, payloads: readonly PayloadFormat[], more: Partial<SdpMedia>): SdpMedia {
  return {
    kind: 'audio',
    port: local.port,
    protocol: 'RTP/AVP',
    formats: payloads.map(({ payload }) => String(payload)),
    payloads,
    address: local.address,
    direction: 'sendrecv',
    rtcpPort: null,
    crypto: [],
    ...more,
  }
}

/**
 * `offer` stays on RTP/AVP (RFC 8643): one INVITE serves carriers with and without SRTP. `before`: our side until now. Its
 * media keep their number and order (RFC 3264 §8), and our keys stay what they are while the stream goes on.
 */
export function createOffer(
  local: LocalMedia,
  srtp: Srtp,
  session: Sdp['session'],
  direction: Direction,
  before: Sdp | null = null,
): Sdp {
  const current = before ? activeAudio(before) : undefined
  const protocol = current?.protocol ?? (srtp === 'require' ? 'RTP/SAVP' : 'RTP/AVP')
  const crypto = Object.keys(suites).map((suite, index) => ({ tag: index + 1, suite, key: keyOf(suite, current) }))
  const secure = srtp === 'off' ? {} : { crypto, protocol }
  const audio = audioOf(local, [...codecs, digits], { ...secure, direction })
  const media = current && before?.media.map((each) => (each === current ? audio : { ...each, port: 0 }))
  return { session, media: media ?? [audio] }
}

const keyOf = (suite: string, before: SdpMedia | undefined): string =>
  before?.crypto.find((each) => each.suite === suite)?.key ?? createKey(suite)

const createKey = (suite: string): string => randomBytes(suites[suite] ?? 30).toString('base64')

const activeAudio = (sdp: Sdp): SdpMedia | undefined =>
  sdp.media.find((each) => each.kind === 'audio' && each.port !== 0 && /^RTP\/S?AVPF?$/.test(each.protocol))

const mirrored: Record<Direction, Direction> = {
  sendrecv: 'sendrecv',
  sendonly: 'recvonly',
  recvonly: 'sendonly',
  inactive: 'inactive',
}
/** 0.0.0.0 is how holding was said before there were directions (RFC 2543). */
const directionOf = (media: SdpMedia): Direction =>
  media.address === '0.0.0.0' && media.direction === 'sendrecv' ? 'sendonly' : media.direction

export const isHeldBy = (sdp: Sdp): boolean => {
  const audio = activeAudio(sdp)
  return audio !== undefined && !/^(sendrecv|recvonly)$/.test(directionOf(audio))
}

/** Throws SdpError when there is nothing in common: that is a 488. */
export function createAnswer(
  offer: Sdp,
  local: LocalMedia,
  srtp: Srtp,
  session: Sdp['session'],
  before: Sdp | null,
): Sdp {
  const audio = activeAudio(offer)
  const codec = audio?.payloads.find((each) => codecs.some(({ name }) => isFormat(each, name)))
  if (!audio || !codec) throw new SdpError('The offer has no sound we can carry.')
  const event = audio.payloads.find((each) => isFormat(each, digits.name))
  const crypto = answerCrypto(audio, srtp, before)
  const answer = audioOf(local, [codec, ...(event ? [event] : [])], {
    protocol: audio.protocol,
    direction: mirrored[directionOf(audio)],
    crypto: crypto ? [crypto] : [],
  })
  // Every medium is answered in its place; what we do not carry gets port 0 (RFC 3264 §6).
  const refuse = (media: SdpMedia): SdpMedia => ({ ...media, port: 0, formats: media.formats.slice(0, 1) })
  return { session, media: offer.media.map((each) => (each === audio ? answer : refuse(each))) }
}

function answerCrypto(offered: SdpMedia, srtp: Srtp, before: Sdp | null): SdpCrypto | null {
  const chosen = srtp === 'off' ? undefined : offered.crypto.find(isUsable)
  const mustBeSecure = srtp === 'require' || /SAVP/.test(offered.protocol)
  if (!chosen && mustBeSecure) throw new SdpError('Only one side would encrypt.')
  if (!chosen) return null
  // A refresh must not change our key: the counters of the stream go on.
  const key = keyOf(chosen.suite, before ? activeAudio(before) : undefined)
  return { tag: chosen.tag, suite: chosen.suite, key }
}

/** Names are not looked up, and IPv4 and IPv6 do not meet. 0.0.0.0 is no place but a hold. */
const canReach = ({ address }: SdpMedia, theirs: string): boolean =>
  isIP(theirs) !== 0 && (isIP(theirs) === isIP(address ?? '') || /^(0\.0\.0\.0|::)$/.test(theirs))

/** What an offer and its answer add up to, seen from `own`. */
export function agree(own: Sdp, theirs: Sdp, srtp: Srtp): AgreedMedia {
  const [mine, other] = [activeAudio(own), activeAudio(theirs)]
  if (!mine || !other?.address) throw new SdpError('There is no sound to carry.')
  if (!canReach(mine, other.address)) throw new SdpError('The sound is wanted at a place that is no address like ours.')
  const codec = other.payloads.find(
    (each) => codecs.some(({ name }) => isFormat(each, name)) && mine.payloads.some(({ name }) => isFormat(each, name)),
  )
  if (!codec) throw new SdpError('There is no codec in common.')
  const [receive, send] = [mine, other].map(({ payloads }) => payloads.find((each) => isFormat(each, digits.name)))
  const crypto = other.crypto.find((each) => isUsable(each) && mine.crypto.some(({ tag }) => tag === each.tag))
  const ownCrypto = mine.crypto.find(({ tag, suite }) => tag === crypto?.tag && suite === crypto.suite)
  if (!(crypto && ownCrypto) && (srtp === 'require' || /SAVP/.test(other.protocol))) {
    throw new SdpError('The sound would not be encrypted.')
  }
  const [ours, their] = [directionOf(mine), directionOf(other)]
  return {
    remote: { address: other.address, port: other.port, rtcpPort: other.rtcpPort ?? other.port + 1 },
    codec: { name: codec.name.toUpperCase() === 'PCMA' ? 'PCMA' : 'PCMU', payload: codec.payload },
    keys: send ? { send: send.payload, receive: (receive ?? send).payload } : null,
    srtp: crypto && ownCrypto ? { suite: crypto.suite, localKey: ownCrypto.key, remoteKey: crypto.key } : null,
    sends: /^send/.test(ours) && /^(sendrecv|recvonly)$/.test(their),
    receives: /^(sendrecv|recvonly)$/.test(ours) && /^send/.test(their),
  }
}
