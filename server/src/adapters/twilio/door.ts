import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { CarrierDoor } from '../../platform/http-carriers.ts'
import type { TwilioAccount } from './api.ts'
import type { TwilioLeg } from './leg.ts'
import { isSigned, signatureOf } from './signature.ts'
import { readMessage } from './stream-message.ts'

export const doorPaths = { status: '/carriers/twilio/status', media: '/carriers/twilio/media' } as const

type DoorOptions = {
  account: TwilioAccount
  publicUrl: string
  find(token: string): TwilioLeg | undefined
  /** A call that nobody here follows. */
  onStray(token: string, callSid: string): void
}

const largestMessageBytes = 64 * 1024
const startPatienceMs = 10_000

/** Where Twilio comes in. What it did not sign is nobody's: no call is told apart from none. */
export function createDoor({ account, publicUrl, find, onStray }: DoorOptions): CarrierDoor & { close(): void } {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: largestMessageBytes, perMessageDeflate: false })
  const mediaUrl = `${publicUrl.replace(/^http/, 'ws')}${doorPaths.media}`

  const isTwilios = (request: IncomingMessage): boolean => {
    const given = request.headers['x-twilio-signature']
    // Twilio has signed addresses of websockets with and without a slash at their end.
    return [mediaUrl, `${mediaUrl}/`].some((url) => isSigned(given, signatureOf(account.authToken, url)))
  }
  const admit = (socket: WebSocket) => {
    const patience = setTimeout(() => socket.terminate(), startPatienceMs)
    socket.on('error', () => {})
    socket.on('close', () => clearTimeout(patience))
    const onMessage = (data: unknown) => {
      const message = readMessage(String(data))
      if (message.event !== 'start') return
      clearTimeout(patience)
      socket.off('message', onMessage)
      const leg = message.accountSid === account.accountSid ? find(message.token) : undefined
      if (!leg?.connect(socket, message.callSid, message.streamSid)) socket.close()
    }
    socket.on('message', onMessage)
  }

  return {
    receive: ({ path, query, form, headers }) => {
      if (path !== doorPaths.status) return 404
      const url = `${publicUrl}${doorPaths.status}${query}`
      if (!isSigned(headers['x-twilio-signature'], signatureOf(account.authToken, url, form))) return 401
      const token = new URLSearchParams(query).get('leg') ?? ''
      const leg = find(token)
      if (leg) leg.status(form)
      else onStray(token, form.get('CallSid') ?? '')
      return 204
    },
    upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const [path] = (request.url ?? '').split('?')
      if (path?.replace(/\/$/, '') !== doorPaths.media) return void socket.end('HTTP/1.1 404 Not Found\r\n\r\n')
      if (!isTwilios(request)) return void socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n')
      sockets.handleUpgrade(request, socket, head, admit)
    },
    close: () => {
      for (const socket of sockets.clients) socket.close()
    },
  }
}
