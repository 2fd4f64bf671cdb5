import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'

/** How a speech service behaves with its next exchange. */
export type Mood = 'well' | 'refuses' | 'hangs' | 'drops' | 'babbles' | 'breaks off' | 'redirects'
export type SpeechService = {
  url: string
  key: string
  /** Once each, in order; then well. */
  next(...moods: Mood[]): void
  requests: { path: string; headers: IncomingMessage['headers']; messages: unknown[] }[]
  open(): number
  close(): Promise<void>
}
type Handlers = {
  http?: (body: Buffer, path: string, response: ServerResponse, mood: Mood) => void
  socket?: (socket: WebSocket, mood: Mood, messages: unknown[]) => void
  isAuthorised(headers: IncomingMessage['headers'], key: string): boolean
}

/** A local server that speaks a vendor's protocol, well or badly. */
export async function startSpeechService(handlers: Handlers): Promise<SpeechService> {
  const key = 'secret-speech-key'
  const moods: Mood[] = []
  const requests: SpeechService['requests'] = []
  const sockets = new Set<Duplex>()
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const mood = moods.shift() ?? 'well'
    requests.push({ path: request.url ?? '', headers: request.headers, messages: [] })
    if (!handlers.isAuthorised(request.headers, key)) response.writeHead(401).end('{"error":"key"}')
    else if (mood === 'refuses') response.writeHead(429).end('{"error":"busy"}')
    else if (mood === 'redirects') response.writeHead(307, { location: '/elsewhere' }).end()
    else if (mood === 'drops') response.destroy()
    else if (mood !== 'hangs') handlers.http?.(Buffer.concat(parts), request.url ?? '', response, mood)
  })
  const upgrades = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    const mood = moods.shift() ?? 'well'
    const messages: unknown[] = []
    requests.push({ path: request.url ?? '', headers: request.headers, messages })
    if (!handlers.isAuthorised(request.headers, key)) return void socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n')
    if (mood === 'refuses') return void socket.end('HTTP/1.1 429 Too Many Requests\r\n\r\n')
    if (mood === 'redirects') return void socket.end('HTTP/1.1 302 Found\r\nlocation: /elsewhere\r\n\r\n')
    if (mood === 'drops') return void socket.destroy()
    upgrades.handleUpgrade(request, socket, head, (accepted) => handlers.socket?.(accepted, mood, messages))
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    key,
    next: (...given) => void moods.push(...given),
    requests,
    open: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** Speech as a level, so that a server can "understand" it: the words of the loudest level in the sound. */
const book = ['', 'an appointment on Monday', 'call me tomorrow']
export const spokenLevel = (number: 1 | 2): Int16Array => new Int16Array(8_000).fill(1_000 * number)
export const understood = (samples: Int16Array): string => book[Math.round(Math.max(0, ...samples) / 1_000)] ?? ''
export const spoken = [
  { samples: spokenLevel(1), word: /appointment/ },
  { samples: spokenLevel(2), word: /tomorrow/ },
] as const

export const samplesIn = (bytes: Buffer): Int16Array =>
  Int16Array.from({ length: Math.floor(bytes.length / 2) }, (_, index) => bytes.readInt16LE(2 * index))

/** A tone as long as the words would take, at this rate. */
export const toneFor = (text: string, rate: number): Int16Array =>
  Int16Array.from({ length: Math.round(Math.min(text.length, 300) * 0.06 * rate) }, (_, i) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * 500 * i) / rate)),
  )
