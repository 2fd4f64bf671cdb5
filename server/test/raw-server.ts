import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import tls from 'node:tls'
import { atEnd } from './at-end.ts'
import type { Certificate } from './certificates.ts'
import { testCa } from './receiver.ts'

export type RawServer = {
  url: string
  port: number
  /** Connections made so far; with TLS those whose handshake was done. */
  connections: net.Socket[]
  /** Whole requests that came in. */
  requests: string[]
  /** TCP connections that are open now. */
  open(): number
  close(): void
}
type Options = {
  host?: string
  port?: number
  certificate?: Certificate
  tls?: tls.TlsOptions
  /** Called with the bare connection before TLS; the handshake waits for it. */
  beforeHandshake?: (socket: net.Socket) => Promise<unknown>
}
/** What the server does once it has read a whole request, byte by byte as it likes. */
export type OnRequest = (socket: net.Socket, request: string) => void

/** A TLS server that speaks whatever it is told to, HTTP or not. */
export async function startRawServer(onRequest: OnRequest, options: Options = {}): Promise<RawServer> {
  const certificate = options.certificate ?? (await (await testCa()).issue())
  const connections: net.Socket[] = []
  const requests: string[] = []
  const secure = tls.createServer({ ...certificate, ...options.tls }, (socket) => {
    connections.push(socket)
    let seen = ''
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      seen += bytes.toString('latin1')
      const end = seen.indexOf('\r\n\r\n')
      const length = Number(/^content-length: (\d+)/im.exec(seen)?.[1] ?? 0)
      if (end < 0 || seen.length < end + 4 + length) return
      const request = seen
      seen = ''
      requests.push(request)
      onRequest(socket, request)
    })
  })
  secure.on('tlsClientError', () => {})
  const bare = await startBareServer((socket) => {
    void (options.beforeHandshake?.(socket) ?? Promise.resolve()).then(() => secure.emit('connection', socket))
  }, options)
  return { ...bare, connections, requests }
}

/** A TCP server without TLS. */
export async function startBareServer(
  onConnection: (socket: net.Socket) => void,
  { host = '127.0.0.1', port: wanted = 0 }: Pick<Options, 'host' | 'port'> = {},
): Promise<RawServer> {
  const open = new Set<net.Socket>()
  const connections: net.Socket[] = []
  const server = net.createServer((socket) => {
    open.add(socket)
    connections.push(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => {})
    onConnection(socket)
  })
  server.listen(wanted, host)
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  const close = () => {
    server.close()
    for (const socket of open) socket.destroy()
  }
  atEnd(close)
  return { url: `https://localhost:${port}/hook`, port, connections, requests: [], open: () => open.size, close }
}

/** Writes the beginning, and then the same again and again until the other side is gone. */
export async function drip(socket: net.Socket, beginning: string, piece: string, everyMs: number): Promise<void> {
  socket.write(beginning)
  while (!socket.destroyed) {
    socket.write(piece)
    await sleep(everyMs)
  }
}

/** Writes as much as the other side takes; how much that was. */
export async function flood(socket: net.Socket, piece: Buffer): Promise<number> {
  let written = 0
  const gone = new Promise((resolve) => socket.once('close', resolve))
  while (!socket.destroyed) {
    written += piece.length
    if (!socket.write(piece)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), gone])
  }
  return written
}
