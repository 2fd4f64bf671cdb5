import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, vi } from 'vitest'
import { headerOf, type ReceivedMessage, type ReceivedRequest } from '../../src/adapters/sip/message.ts'
import { parseMessage } from '../../src/adapters/sip/parse.ts'
import { atEnd } from '../at-end.ts'
import { sdp } from './scenario.ts'

type More = { headers?: string[]; body?: string | null; contact?: string | null }
export type WirePhone = {
  port: number
  heard: ReceivedMessage[]
  /** The requests of a method, in the order they came; what was said again counts once. */
  requests(method: string): ReceivedRequest[]
  /** Waits for that many of them, and returns the last. */
  request(method: string, count?: number): Promise<ReceivedRequest>
  reply(request: ReceivedRequest, line: string, more?: More): void
  /** Takes the call: the INVITE, once the ACK is here. */
  answer(more?: More): Promise<ReceivedRequest>
  /** A request of the callee's inside the call that INVITE began. */
  ask(invite: ReceivedRequest, method: string, cseq: number, more?: More): void
  /** A request of a caller's. `toTag`: ours, inside a call. */
  call(port: number, method: string, cseq: number, more?: More & { toTag?: string; branch?: string }): void
  answers(method: string): Promise<ReceivedMessage[]>
  /** Calls, and acknowledges the answer. Returns the tag of whoever answered. */
  getThrough(port: number, more?: Pick<More, 'contact'>): Promise<string>
}

export const sound = (more: Parameters<typeof sdp>[0] = {}): string => `${sdp(more).replaceAll('\n', '\r\n')}\r\n`

const bodyLines = (body: string | null | undefined): string[] =>
  body ? ['Content-Type: application/sdp', `Content-Length: ${Buffer.byteLength(body)}`, '', body] : ['', '']
let many = 0

/** A telephone that says what the test wants, over UDP. */
export async function startWirePhone(): Promise<WirePhone> {
  const socket = createSocket('udp4')
  const heard: ReceivedMessage[] = []
  const from = new Map<string, number>()
  let peerPort = 0
  socket.on('message', (bytes, { port }) => {
    if (bytes.length < 5) return
    const message = parseMessage(bytes)
    peerPort = port
    from.set(message.vias[0]?.params.get('branch') ?? '', port)
    heard.push(message)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  atEnd(() => void socket.close())
  const { port } = socket.address()
  many += 1
  const [callId, tag] = [`wire-${process.pid}-${many}`, `phone${many}`]
  const send = (lines: string[], to: number) => socket.send(lines.join('\r\n'), to, '127.0.0.1')
  const contactOf = (contact: string | null | undefined) =>
    contact === null ? [] : [`Contact: <${contact ?? `sip:phone@127.0.0.1:${port}`}>`]
  const via = (branch = `z9hG4bK${Math.random()}`) => `Via: SIP/2.0/UDP 127.0.0.1:${port};rport;branch=${branch}`

  const requests = (method: string): ReceivedRequest[] => {
    const seen = new Set<string>()
    return heard.filter((each): each is ReceivedRequest => {
      if (each.kind !== 'request' || each.method !== method) return false
      const branch = each.vias[0]?.params.get('branch') ?? ''
      return !seen.has(branch) && seen.add(branch).size > 0
    })
  }
  const request = (method: string, count = 1) =>
    vi.waitFor(
      () => {
        const found = requests(method)[count - 1]
        expect(found, `${method} number ${count}`).toBeDefined()
        return found as ReceivedRequest
      },
      { timeout: 8_000, interval: 10 },
    )
  const reply: WirePhone['reply'] = (asked, line, { headers = [], body, contact } = {}) => {
    const to = headerOf(asked, 'to') ?? ''
    const lines = asked.headers.flatMap(([name, value]) =>
      /^(via|from|call-id|cseq|record-route)$/.test(name) ? [`${name}: ${value}`] : [],
    )
    const tagged = asked.to.params.has('tag') ? to : `${to};tag=${tag}`
    const head = [`SIP/2.0 ${line}`, ...lines, `To: ${tagged}`, ...contactOf(contact), ...headers]
    send([...head, ...bodyLines(body)], from.get(asked.vias[0]?.params.get('branch') ?? '') ?? peerPort)
  }
  const call: WirePhone['call'] = (to, method, cseq, { headers = [], body, contact, toTag, branch } = {}) =>
    send(
      [
        `${method} sip:+15005550001@127.0.0.1:${to} SIP/2.0`,
        via(branch),
        `From: <sip:+15005550002@127.0.0.1>;tag=${tag}`,
        `To: <sip:+15005550001@127.0.0.1>${toTag ? `;tag=${toTag}` : ''}`,
        `Call-ID: ${callId}`,
        `CSeq: ${cseq} ${method}`,
        ...contactOf(contact),
        ...headers,
        ...bodyLines(body),
      ],
      to,
    )
  const answers: WirePhone['answers'] = (method) =>
    vi.waitFor(
      () => {
        const found = heard.filter((each) => each.kind === 'response' && each.cseq.method === method)
        expect(found.some((each) => each.kind === 'response' && each.status >= 200)).toBe(true)
        return found
      },
      { timeout: 8_000, interval: 10 },
    )

  return {
    port,
    heard,
    requests,
    request,
    reply,
    answer: async (more = {}) => {
      const invite = await request('INVITE')
      reply(invite, '200 OK', { body: sound(), ...more })
      await request('ACK')
      return invite
    },
    ask: (invite, method, cseq, { headers = [], body, contact } = {}) =>
      send(
        [
          `${method} sip:parley@127.0.0.1:${peerPort} SIP/2.0`,
          via(),
          `From: ${headerOf(invite, 'to')};tag=${tag}`,
          `To: ${headerOf(invite, 'from')}`,
          `Call-ID: ${invite.callId}`,
          `CSeq: ${cseq} ${method}`,
          ...contactOf(contact),
          ...headers,
          ...bodyLines(body),
        ],
        peerPort,
      ),
    call,
    answers,
    getThrough: async (to, more = {}) => {
      call(to, 'INVITE', 1, { ...more, body: sound() })
      const toTag = (await answers('INVITE')).at(-1)?.to.params.get('tag') ?? ''
      call(to, 'ACK', 1, { ...more, toTag })
      return toTag
    },
  }
}
