import { parseParams, SipParseError, splitOutside } from './grammar.ts'

export type Via = { transport: string; host: string; port: number | null; params: ReadonlyMap<string, string> }

const sentProtocol = /^SIP\s*\/\s*2\.0\s*\/\s*([A-Za-z0-9-]{1,16})\s+(\S.*)$/i

export function parseVia(value: string): Via {
  const [main = '', ...rest] = splitOutside(value, ';')
  const match = sentProtocol.exec(main)
  if (!match) throw new SipParseError('A Via header is not readable.')
  const { host, port } = parseHostPort((match[2] ?? '').replace(/\s+/g, ''))
  return { transport: (match[1] ?? '').toUpperCase(), host, port, params: parseParams(rest) }
}

/** `host`, `host:5060`, `[::1]:5060`. */
export function parseHostPort(text: string): { host: string; port: number | null } {
  const match = /^(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,255})(?::(\d{1,5}))?$/.exec(text)
  if (!match) throw new SipParseError('A host is not readable.')
  const port = match[2] === undefined ? null : Number(match[2])
  if (port !== null && (port < 1 || port > 65_535)) throw new SipParseError('A port is out of range.')
  return { host: (match[1] ?? '').replace(/^\[|\]$/g, '').toLowerCase(), port }
}

/** An IPv6 address stands in brackets wherever a port may follow. */
export const hostInUri = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** What we add to the topmost Via of a request, so that its answers come back through whatever lies between (RFC 3581). */
export function markReceived(value: string, source: { address: string; port: number }): string {
  const [main = '', ...rest] = splitOutside(value, ';')
  const kept = rest.filter((each) => !/^(received|rport)(=|$)/i.test(each))
  const asked = rest.some((each) => /^rport/i.test(each))
  const marks = [`received=${source.address}`, ...(asked ? [`rport=${source.port}`] : [])]
  return [main, ...kept, ...marks].join(';')
}
