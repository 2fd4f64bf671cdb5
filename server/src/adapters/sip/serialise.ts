import type { Header, SipMessage } from './message.ts'

const spellings: Record<string, string> = {
  'call-id': 'Call-ID',
  cseq: 'CSeq',
  'min-se': 'Min-SE',
  rack: 'RAck',
  rseq: 'RSeq',
  'www-authenticate': 'WWW-Authenticate',
}
const spelling = (name: string): string =>
  spellings[name] ?? name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())

/** Content-Length is always ours. A line break in a value would begin a header of somebody else's choosing. */
export function serialise(message: SipMessage): Buffer {
  const first =
    message.kind === 'request'
      ? `${message.method} ${message.uri} SIP/2.0`
      : `SIP/2.0 ${message.status} ${message.reason}`
  const headers: Header[] = message.headers.filter(([name]) => name !== 'content-length')
  const lines = [first, ...headers.map(([name, value]) => `${spelling(name)}: ${value}`)]
  const broken = lines.find((line) => /[\r\n\0]/.test(line))
  if (broken !== undefined) throw new Error('A SIP header must not hold a line break.')
  const head = `${[...lines, `Content-Length: ${message.body.length}`].join('\r\n')}\r\n\r\n`
  return Buffer.concat([Buffer.from(head, 'utf8'), message.body])
}
