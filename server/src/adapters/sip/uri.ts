import { parseParams, SipParseError } from './grammar.ts'
import { hostInUri, parseHostPort } from './via.ts'

export type SipUri = {
  secure: boolean
  user: string
  host: string
  port: number | null
  params: ReadonlyMap<string, string>
}

/** Only sip: and sips:. */
export function parseUri(text: string): SipUri {
  const match = /^(sips?):(?:([^@\s<>"]{0,256})@)?([^;?@\s<>"]{1,300})((?:;[^?\s<>"]*)?)(?:\?\S*)?$/i.exec(text)
  if (!match) throw new SipParseError('A SIP address is not readable.')
  const user = decode((match[2] ?? '').split(':')[0] ?? '')
  const params = parseParams((match[4] ?? '').split(';'))
  return { secure: match[1]?.toLowerCase() === 'sips', user, ...parseHostPort(match[3] ?? ''), params }
}

/** The number in a sip: or tel: address, without its parameters; empty when there is none. */
export function userOf(uri: string): string {
  if (/^tel:/i.test(uri)) return uri.slice(4).split(';')[0] ?? ''
  try {
    return parseUri(uri).user.split(';')[0] ?? ''
  } catch {
    return ''
  }
}

function decode(user: string): string {
  try {
    return decodeURIComponent(user)
  } catch {
    return user
  }
}

// RFC 3261 §25.1: user = unreserved / escaped / user-unreserved.
const encodeUser = (user: string): string => encodeURIComponent(user).replace(/%(26|3D|2B|24|2C|3B|3F|2F)/g, unescape1)
const unescape1 = (escaped: string): string => decodeURIComponent(escaped)

export function formatUri(parts: { user?: string; host: string; port?: number | null; transport?: string }): string {
  const user = parts.user ? `${encodeUser(parts.user)}@` : ''
  const port = parts.port ? `:${parts.port}` : ''
  const transport = parts.transport && parts.transport !== 'udp' ? `;transport=${parts.transport}` : ''
  return `sip:${user}${hostInUri(parts.host)}${port}${transport}`
}
