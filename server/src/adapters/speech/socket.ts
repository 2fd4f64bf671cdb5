import { WebSocket } from 'ws'
import { unlessAborted } from '../../platform/unless-aborted.ts'
import { SpeechFailed } from './speech-failed.ts'

export type Socket = {
  send(data: string | Uint8Array): void
  /** The next message; null when the other side has closed. */
  next(): Promise<string | null>
  close(): void
}
type SocketOptions = {
  service: string
  url: URL
  headers: Record<string, string>
  connectMs: number
  signal: AbortSignal
}

const largestMessageBytes = 4 * 1024 * 1024
const mostWaiting = 1_000

/** A websocket as a queue of text messages. A redirect is a refusal: what was said goes only where the operator sent it. */
export async function openSocket({ service, url, headers, connectMs, signal }: SocketOptions): Promise<Socket> {
  signal.throwIfAborted()
  const socket = new WebSocket(url, {
    headers,
    handshakeTimeout: connectMs,
    maxPayload: largestMessageBytes,
    perMessageDeflate: false,
    followRedirects: false,
  })
  const messages: string[] = []
  let failure: SpeechFailed | null = null
  let closed = false
  let wake = () => {}
  socket.on('message', (data, isBinary) => {
    if (!isBinary && messages.length < mostWaiting) messages.push(String(data))
    wake()
  })
  socket.on('close', () => {
    closed = true
    wake()
  })
  const opened = new Promise<void>((resolve, reject) => {
    const fail = (error: SpeechFailed) => {
      failure = error
      reject(error)
      wake()
    }
    socket.once('open', resolve)
    socket.once('unexpected-response', (request, response) => {
      fail(new SpeechFailed(service, 'http', response.statusCode))
      request.destroy()
    })
    // Also after it was open: an error nobody listens to would end the process.
    socket.on('error', () => fail(failure ?? new SpeechFailed(service, 'connection')))
  })
  const close = () => {
    if (socket.readyState === WebSocket.OPEN) socket.close()
    else socket.terminate()
    // A peer that does not answer the closing is not waited for.
    setTimeout(() => socket.terminate(), 1_000).unref()
  }
  try {
    await unlessAborted(opened, signal)
  } catch (error) {
    socket.terminate()
    throw error
  }
  return {
    send: (data) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(data)
    },
    next: async () => {
      for (;;) {
        const message = messages.shift()
        if (message !== undefined) return message
        if (failure) throw failure
        if (closed) return null
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    close,
  }
}
