import type { Log } from '../../platform/log.ts'
import { addressTowards, openDatagrams } from './datagrams.ts'
import { splitOutside } from './grammar.ts'
import type { ReceivedMessage, ReceivedRequest, SipMessage } from './message.ts'
import { parseMessage } from './parse.ts'
import { defaultPort, type Hop, type Peer, type Source } from './peer.ts'
import { serialise } from './serialise.ts'
import { createStreams, type Streams } from './streams.ts'
import { markReceived } from './via.ts'

export type Listen = {
  host: string
  udpPort: number
  tcpPort: number
  tlsPort?: number
  tls?: { key: string; cert: string }
}
export type TransportOptions = {
  listen: Listen
  /** How the world reaches us, when that is not the address of the machine. */
  publicAddress?: string
  connectMs: number
  log: Log
  onMessage(message: ReceivedMessage, source: Source): void
  onLost(peer: Peer): void
}
export type Transport = {
  ports: { udp: number; tcp: number; tls: number | null }
  /** Adds how we look from there. */
  hop(peer: Peer): Promise<Hop>
  send(message: SipMessage, peer: Peer): Promise<void>
  /** An answer, back to where the request came from. */
  reply(message: SipMessage, request: ReceivedRequest, source: Source): Promise<void>
  close(): Promise<void>
}

export async function openTransport(options: TransportOptions): Promise<Transport> {
  const { listen, log, onMessage } = options
  const receive = (bytes: Buffer, source: Source) => {
    let message: ReceivedMessage
    try {
      message = parseMessage(bytes)
    } catch {
      log.debug({ transport: source.transport, bytes: bytes.length }, 'something that is no SIP message was dropped')
      return
    }
    try {
      onMessage(message.kind === 'request' ? received(message, source) : message, source)
    } catch (err) {
      log.error({ err }, 'a SIP message could not be handled')
    }
  }
  const udp = await openDatagrams({ host: listen.host, port: listen.udpPort }, receive)
  const streams = createStreams({ connectMs: options.connectMs, onFrame: receive, onLost: options.onLost })
  const ports = await listenOn(streams, listen).catch(async (error: unknown) => {
    await Promise.all([udp.close(), streams.close()])
    throw error
  })
  const send = (bytes: Buffer, peer: Peer) => {
    if (peer.connection?.isOpen()) return peer.connection.write(bytes)
    return peer.transport === 'udp' ? udp.send(bytes, peer) : streams.send(bytes, peer)
  }
  const own = { ...ports, udp: udp.port }
  return {
    ports: own,
    hop: async (peer) => {
      const host = options.publicAddress ?? (await ownAddress(listen.host, peer))
      const port = own[peer.transport]
      if (port !== null) return { ...peer, local: { host, port } }
      return { ...peer, local: { host, port: listen.tlsPort ?? defaultPort('tls') }, sameConnection: true }
    },
    send: async (message, peer) => send(serialise(message), peer),
    reply: async (message, request, source) => {
      const bytes = serialise(message)
      if (source.connection?.isOpen()) return source.connection.write(bytes)
      await send(bytes, { ...source, port: replyPort(request, source) })
    },
    close: async () => {
      await Promise.all([udp.close(), streams.close()])
    },
  }
}

async function listenOn(streams: Streams, { host, tcpPort, tlsPort, tls }: Listen) {
  const tcp = await streams.listen('tcp', { host, port: tcpPort })
  if (tlsPort === undefined || !tls) return { tcp, tls: null }
  return { tcp, tls: await streams.listen('tls', { host, port: tlsPort, tls }) }
}

const ownAddress = async (host: string, peer: Peer): Promise<string> =>
  /^(0\.0\.0\.0|::)$/.test(host) ? addressTowards(peer.address) : host

/** RFC 3581: whoever asked for rport is answered at the port it really sent from. */
function replyPort(request: ReceivedRequest, source: Source): number {
  const [via] = request.vias
  if (source.transport === 'udp' && via?.params.has('rport')) return source.port
  return via?.port ?? defaultPort(source.transport)
}

/** The topmost Via tells where the request really came from. Its copy in the answer is what the asker learns from. */
function received(request: ReceivedRequest, source: Source): ReceivedRequest {
  const index = request.headers.findIndex(([name]) => name === 'via')
  const headers = request.headers.map((header, at) => {
    if (at !== index) return header
    const [top = '', ...rest] = splitOutside(header[1], ',')
    return ['via', [markReceived(top, source), ...rest].join(', ')] as const
  })
  return { ...request, headers }
}
