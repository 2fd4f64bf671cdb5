import { connect as connectTcp, createServer, isIP, type Server, type Socket } from 'node:net'
import { connect as connectTls, createServer as createTlsServer } from 'node:tls'
import { createFrames } from './framing.ts'
import { type Peer, type Source, type StreamConnection, TransportError, type TransportName } from './peer.ts'

export type Streams = {
  send(bytes: Buffer, peer: Peer): Promise<void>
  listen(transport: 'tcp' | 'tls', options: ListenOptions): Promise<number>
  close(): Promise<void>
}
type ListenOptions = { host: string; port: number; tls?: { key: string; cert: string } }
type StreamsOptions = {
  connectMs: number
  onFrame(bytes: Buffer, source: Source): void
  /** A connection we had opened is gone: whoever registered over it should do so again. */
  onLost(peer: Peer): void
}
type Open = { socket: Socket; connection: StreamConnection }

const mostInbound = 512
/** Whoever connects and says nothing readable for so long is let go. */
const silentInboundMs = 20_000

/** TCP and TLS: one connection per peer, opened when needed, opened anew when it broke. */
export function createStreams({ connectMs, onFrame, onLost }: StreamsOptions): Streams {
  const opening = new Map<string, Promise<Open>>()
  const sockets = new Set<Socket>()
  const servers: Server[] = []
  let closed = false

  function read(socket: Socket, transport: TransportName, onBroken: () => void): StreamConnection {
    const frames = createFrames()
    const connection = connectionOf(socket)
    const source = { transport, address: plainAddress(socket), port: socket.remotePort ?? 0, connection }
    sockets.add(socket)
    socket.setKeepAlive(true, 30_000)
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      sockets.delete(socket)
      onBroken()
    })
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const frame of frames.push(chunk)) onFrame(frame, source)
        if (frames.pings() > 0) socket.write('\r\n')
      } catch {
        socket.destroy()
      }
    })
    return connection
  }

  async function open(peer: Peer, key: string): Promise<Open> {
    const socket = await connected(peer, connectMs)
    if (closed) {
      socket.destroy()
      throw new TransportError('Closed.', false)
    }
    const connection = read(socket, peer.transport, () => {
      opening.delete(key)
      onLost(peer)
    })
    return { socket, connection }
  }

  async function send(bytes: Buffer, peer: Peer): Promise<void> {
    const key = [peer.transport, peer.address, peer.port, peer.serverName, peer.ca].join('|')
    let attempt = opening.get(key)
    if (!attempt) {
      attempt = open(peer, key)
      opening.set(key, attempt)
      attempt.catch(() => opening.delete(key))
    }
    await (await attempt).connection.write(bytes)
  }

  function accept(transport: 'tcp' | 'tls', socket: Socket): void {
    const silent = setTimeout(() => {
      if (socket.bytesRead === 0) socket.destroy()
    }, silentInboundMs)
    read(socket, transport, () => clearTimeout(silent))
  }

  async function listen(transport: 'tcp' | 'tls', { host, port, tls }: ListenOptions): Promise<number> {
    const server =
      transport === 'tls'
        ? createTlsServer({ ...tls, handshakeTimeout: connectMs }, (socket) => accept(transport, socket))
        : createServer((socket) => accept(transport, socket))
    server.on('tlsClientError', (_error: Error, socket: Socket) => socket.destroy())
    server.maxConnections = mostInbound
    servers.push(server)
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, () => resolve())
    })
    server.on('error', () => {})
    const address = server.address()
    return typeof address === 'object' && address ? address.port : port
  }

  async function close(): Promise<void> {
    closed = true
    for (const socket of sockets) socket.destroy()
    await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))))
  }
  return { send, listen, close }
}

const plainAddress = (socket: Socket): string => (socket.remoteAddress ?? '').replace(/^::ffff:/, '')

function connectionOf(socket: Socket): StreamConnection {
  return {
    isOpen: () => socket.writable,
    write: (bytes) =>
      new Promise((resolve, reject) => {
        if (!socket.writable) return reject(new TransportError('The connection is closed.', false))
        socket.write(bytes, (error) =>
          error ? reject(new TransportError('The connection broke.', true, { cause: error })) : resolve(),
        )
      }),
  }
}

/** Until the connection stands (for TLS: until the certificate was accepted) nothing of ours has left. */
function connected(peer: Peer, connectMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const to = { host: peer.address, port: peer.port }
    // Without a name the certificate is held against the address.
    const name = peer.serverName && !isIP(peer.serverName) ? { servername: peer.serverName } : {}
    const ca = peer.ca ? { ca: peer.ca } : {}
    const socket = peer.transport === 'tls' ? connectTls({ ...to, ...name, ...ca }) : connectTcp(to)
    const fail = (error: Error) => {
      clearTimeout(limit)
      socket.destroy()
      reject(new TransportError(`No connection: ${error.message}`, false, { cause: error }))
    }
    const limit = setTimeout(() => fail(new Error('it took too long')), connectMs)
    socket.once('error', fail)
    socket.once('close', () => fail(new Error('it was closed')))
    socket.once(peer.transport === 'tls' ? 'secureConnect' : 'connect', () => {
      clearTimeout(limit)
      socket.removeAllListeners('error')
      socket.removeAllListeners('close')
      resolve(socket)
    })
  })
}
