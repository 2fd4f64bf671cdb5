import { SipParseError } from './grammar.ts'
import { type Essentials, type Header, headerOf, type ReceivedMessage, valuesOf } from './message.ts'
import { parseNameAddr } from './name-addr.ts'
import { parseVia } from './via.ts'

export const largestHead = 32_768
export const largestBody = 65_536
const mostHeaders = 256

const longForms: Record<string, string> = {
  a: 'accept-contact',
  b: 'referred-by',
  c: 'content-type',
  e: 'content-encoding',
  f: 'from',
  i: 'call-id',
  k: 'supported',
  l: 'content-length',
  m: 'contact',
  o: 'event',
  r: 'refer-to',
  s: 'subject',
  t: 'to',
  u: 'allow-events',
  v: 'via',
  x: 'session-expires',
}

/** One whole datagram, or one framed piece of a stream. Throws SipParseError, nothing else. */
export function parseMessage(bytes: Buffer): ReceivedMessage {
  const { head, body } = cut(bytes)
  const [first = '', ...lines] = unfold(head)
  const headers = lines.map(parseHeader)
  if (headers.length > mostHeaders) throw new SipParseError('There are too many headers.')
  const essentials = readEssentials(headers)
  const rest = { headers, body: measured(headers, body), ...essentials }
  const status = /^SIP\/2\.0 ([1-6]\d\d)(?: (.*))?$/i.exec(first)
  if (status) return { kind: 'response', status: Number(status[1]), reason: status[2] ?? '', ...rest }
  const request = /^([A-Z][A-Z0-9.!%*_+`'~-]{0,31}) (\S{1,2048}) SIP\/2\.0$/i.exec(first)
  const [, method, uri] = request ?? []
  if (!method || !uri) throw new SipParseError('The first line is neither a request nor a response.')
  if (essentials.cseq.method !== method) throw new SipParseError('CSeq names another method.')
  return { kind: 'request', method, uri, ...rest }
}

function cut(bytes: Buffer): { head: string; body: Buffer } {
  let start = 0
  while (bytes[start] === 13 || bytes[start] === 10) start += 1
  const ends = [bytes.indexOf('\r\n\r\n', start), bytes.indexOf('\n\n', start)]
  const [crlf = -1, lf = -1] = ends
  const end = crlf >= 0 && (lf < 0 || crlf < lf) ? crlf : lf
  if (end < 0) throw new SipParseError('The headers have no end.')
  if (end - start > largestHead) throw new SipParseError('The headers are too long.')
  const head = bytes.toString('utf8', start, end)
  if (head.includes('\0')) throw new SipParseError('The headers hold a NUL.')
  return { head, body: bytes.subarray(end + (end === crlf ? 4 : 2)) }
}

/** A line that begins with a space goes on with the one before (RFC 3261 §7.3.1). */
function unfold(head: string): string[] {
  const lines: string[] = []
  for (const line of head.split(/\r\n|\n/)) {
    if (/^[ \t]/.test(line) && lines.length > 1) lines.push(`${lines.pop()} ${line.trim()}`)
    else lines.push(line)
  }
  return lines
}

function parseHeader(line: string): Header {
  const colon = line.indexOf(':')
  const name = line.slice(0, colon).trimEnd().toLowerCase()
  if (colon < 1 || !/^[a-z0-9.!%*_+`'~-]{1,64}$/.test(name)) throw new SipParseError('A header is not readable.')
  if (line.includes('\r')) throw new SipParseError('A header holds a line break.')
  return [longForms[name] ?? name, line.slice(colon + 1).trim()]
}

function readEssentials(headers: readonly Header[]): Essentials {
  const one = (name: string): string => {
    const value = headerOf({ headers }, name)
    if (!value) throw new SipParseError(`There is no ${name} header.`)
    return value
  }
  const cseq = /^(\d{1,10})\s+([A-Za-z0-9.!%*_+`'~-]{1,32})$/.exec(one('cseq'))
  const number = Number(cseq?.[1])
  if (!cseq?.[2] || number >= 2 ** 31) throw new SipParseError('CSeq is not readable.')
  const vias = valuesOf({ headers }, 'via')
  if (vias.length === 0) throw new SipParseError('There is no via header.')
  const callId = one('call-id')
  if (callId.length > 512) throw new SipParseError('The Call-ID is too long.')
  return {
    vias: vias.map(parseVia),
    from: parseNameAddr(one('from')),
    to: parseNameAddr(one('to')),
    callId,
    cseq: { number, method: cseq[2] },
  }
}

/** Less than announced is half a message; more is padding that does not belong to it (RFC 3261 §18.3). */
function measured(headers: readonly Header[], body: Buffer): Buffer {
  const length = contentLength(headers) ?? body.length
  if (length > body.length) throw new SipParseError('The body is shorter than announced.')
  if (length > largestBody) throw new SipParseError('The body is too long.')
  return Buffer.from(body.subarray(0, length))
}

export function contentLength(headers: readonly Header[]): number | null {
  const lengths = headers.filter(([name]) => name === 'content-length').map(([, value]) => value)
  const [value] = lengths
  if (value === undefined) return null
  // Two that differ are the oldest way to smuggle one message inside another.
  if (!/^\d{1,9}$/.test(value) || lengths.some((each) => each !== value)) {
    throw new SipParseError('Content-Length is not readable.')
  }
  return Number(value)
}
