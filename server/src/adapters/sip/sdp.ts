import { randomBytes } from 'node:crypto'

export class SdpError extends Error {
  override readonly name = 'SdpError'
}

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive'
export type PayloadFormat = { payload: number; name: string; rate: number }
/** An a=crypto line (RFC 4568); `key` is key and salt in base64, without lifetime. */
export type SdpCrypto = { tag: number; suite: string; key: string }
export type SdpMedia = {
  kind: string
  port: number
  protocol: string
  /** As they stand in the m= line, in the order of preference. */
  formats: readonly string[]
  payloads: readonly PayloadFormat[]
  /** Of this medium, or of the session; null when there is none. */
  address: string | null
  direction: Direction
  rtcpPort: number | null
  crypto: readonly SdpCrypto[]
}
export type Sdp = { session: { id: string; version: number }; media: readonly SdpMedia[] }

const staticFormats: readonly PayloadFormat[] = [
  { payload: 0, name: 'PCMU', rate: 8_000 },
  { payload: 8, name: 'PCMA', rate: 8_000 },
]
const mostLines = 500
const mostMedia = 16

/** Throws SdpError, nothing else. */
export function parseSdp(text: string): Sdp {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line !== '')
  if (lines.length > mostLines) throw new SdpError('The description is too long.')
  if (lines[0]?.trim() !== 'v=0') throw new SdpError('The description does not begin with v=0.')
  const starts = lines.flatMap((line, index) => (line.startsWith('m=') ? [index] : []))
  if (starts.length > mostMedia) throw new SdpError('The description names too many media.')
  const common = lines.slice(0, starts[0] ?? lines.length)
  const media = starts.map((start, index) => parseMedia(lines.slice(start, starts[index + 1]), common))
  const origin = lineOf(common, 'o=')?.split(' ') ?? []
  return { session: { id: origin[1] ?? '0', version: Number(origin[2]) || 0 }, media }
}

const lineOf = (lines: readonly string[], prefix: string): string | undefined =>
  lines
    .find((line) => line.startsWith(prefix))
    ?.slice(prefix.length)
    .trim()

function parseMedia(lines: readonly string[], common: readonly string[]): SdpMedia {
  const match = /^m=(\S{1,32}) (\d{1,5})(?:\/\d{1,5})? (\S{1,64}) ?(.{0,1000})$/.exec(lines[0]?.trim() ?? '')
  const port = Number(match?.[2])
  if (!match || port > 65_535) throw new SdpError('An m= line is not readable.')
  const formats = (match[4] ?? '').split(' ').filter((each) => each !== '')
  const connection = lineOf(lines, 'c=') ?? lineOf(common, 'c=')
  const address = /^IN IP[46] ([0-9A-Za-z.:-]{1,255})/.exec(connection ?? '')?.[1] ?? null
  const rtcp = Number(lineOf(lines, 'a=rtcp:')?.split(' ')[0])
  return {
    kind: match[1] ?? '',
    port,
    protocol: match[3] ?? '',
    formats,
    payloads: formats.flatMap((format) => formatOf(format, lines)),
    address,
    direction: directionOf(lines) ?? directionOf(common) ?? 'sendrecv',
    rtcpPort: rtcp >= 1 && rtcp <= 65_535 ? rtcp : null,
    crypto: lines.flatMap(parseCrypto),
  }
}

function formatOf(format: string, lines: readonly string[]): PayloadFormat[] {
  const payload = Number(format)
  if (!/^\d{1,3}$/.test(format) || payload > 127) return []
  const map = lineOf(lines, `a=rtpmap:${payload} `)
  if (map === undefined) return staticFormats.filter((each) => each.payload === payload)
  const match = /^([A-Za-z0-9._-]{1,32})\/(\d{1,6})/.exec(map)
  return match ? [{ payload, name: match[1] ?? '', rate: Number(match[2]) }] : []
}

function directionOf(lines: readonly string[]): Direction | null {
  const line = lines.findLast((each) => /^a=(sendrecv|sendonly|recvonly|inactive)\s*$/.test(each))
  return line ? (line.slice(2).trim() as Direction) : null
}

function parseCrypto(line: string): SdpCrypto[] {
  const match = /^a=crypto:(\d{1,9}) ([A-Za-z0-9_]{1,64}) inline:([A-Za-z0-9+/]{1,128}={0,2})/.exec(line)
  return match ? [{ tag: Number(match[1]), suite: match[2] ?? '', key: match[3] ?? '' }] : []
}

export const createSessionId = (): string => String(randomBytes(4).readUInt32BE() + 1)

export function formatSdp(sdp: Sdp, address: string): string {
  const family = address.includes(':') ? 'IP6' : 'IP4'
  const lines = [
    'v=0',
    `o=- ${sdp.session.id} ${sdp.session.version} IN ${family} ${address}`,
    's=-',
    `c=IN ${family} ${address}`,
    't=0 0',
    ...sdp.media.flatMap(formatMedia),
  ]
  return `${lines.join('\r\n')}\r\n`
}

function formatMedia(media: SdpMedia): string[] {
  const head = `m=${media.kind} ${media.port} ${media.protocol} ${media.formats.join(' ')}`
  if (media.port === 0) return [head]
  return [
    head,
    ...media.payloads.map(({ payload, name, rate }) => `a=rtpmap:${payload} ${name}/${rate}`),
    ...media.payloads
      .filter(({ name }) => name.toLowerCase() === 'telephone-event')
      .map(({ payload }) => `a=fmtp:${payload} 0-15`),
    ...media.crypto.map(({ tag, suite, key }) => `a=crypto:${tag} ${suite} inline:${key}`),
    // So much we send in one packet, whatever they ask for; of theirs we take any.
    'a=ptime:20',
    `a=${media.direction}`,
  ]
}
