import { SipParseError } from './grammar.ts'
import type { Header } from './message.ts'
import { contentLength, largestBody, largestHead } from './parse.ts'

export type Frames = {
  /** The messages that are whole by now. Throws SipParseError when the stream makes no sense any more: close it. */
  push(chunk: Buffer): Buffer[]
  /** How many keep-alive pings (an empty double line, RFC 5626) came since last asked. */
  pings(): number
}

const lengthLine = /^(?:content-length|l)[ \t]*:(.*)$/i

/** Cuts a byte stream into messages by Content-Length. */
export function createFrames(): Frames {
  let pending: Buffer = Buffer.alloc(0)
  let pings = 0

  function skipBlank(): void {
    let start = 0
    while (pending[start] === 13 && pending[start + 1] === 10) start += 2
    pings += Math.floor(start / 4)
    pending = pending.subarray(start)
  }

  function next(): Buffer | null {
    skipBlank()
    const end = pending.indexOf('\r\n\r\n')
    if ((end < 0 ? pending.length : end) > largestHead) throw new SipParseError('The headers are too long.')
    if (end < 0) return null
    const length = lengthOf(pending.toString('latin1', 0, end))
    if (length > largestBody) throw new SipParseError('The body is too long.')
    const total = end + 4 + length
    if (pending.length < total) return null
    const message = pending.subarray(0, total)
    pending = pending.subarray(total)
    return message
  }

  return {
    push: (chunk) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      const messages: Buffer[] = []
      for (let message = next(); message; message = next()) messages.push(message)
      return messages
    },
    pings: () => {
      const seen = pings
      pings = 0
      return seen
    },
  }
}

/** On a stream a message without a length has no end (RFC 3261 §18.3). */
function lengthOf(head: string): number {
  const headers = head.split('\r\n').flatMap((line): Header[] => {
    const match = lengthLine.exec(line)
    return match ? [['content-length', (match[1] ?? '').trim()]] : []
  })
  const length = contentLength(headers)
  if (length === null) throw new SipParseError('On a stream every message needs a Content-Length.')
  return length
}
