import { createSocket, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import type { Source } from './peer.ts'
import { TransportError } from './peer.ts'

export type Datagrams = {
  port: number
  send(bytes: Buffer, to: { address: string; port: number }): Promise<void>
  close(): Promise<void>
}

/** UDP: one socket for everything, so that answers find the port they were asked from. */
export async function openDatagrams(
  { host, port }: { host: string; port: number },
  onDatagram: (bytes: Buffer, source: Source) => void,
): Promise<Datagrams> {
  const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', recvBufferSize: 1_048_576 })
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(port, host, () => resolve())
  })
  socket.removeAllListeners('error')
  socket.on('error', () => {})
  socket.on('message', (bytes, from) => {
    // Anything shorter is a keep-alive of whoever holds a hole in a firewall open.
    if (bytes.length > 4)
      onDatagram(bytes, { transport: 'udp', address: from.address, port: from.port, connection: null })
  })
  let closed = false
  const leaving = new Set<Promise<void>>()
  return {
    port: socket.address().port,
    send: async (bytes, to) => {
      if (closed) throw new TransportError('Closed.', false)
      const sending = sendOne(socket, bytes, to)
      leaving.add(sending)
      await sending.finally(() => leaving.delete(sending))
    },
    close: async () => {
      if (closed) return
      closed = true
      // The last word to a caller must still go out.
      await Promise.allSettled(leaving)
      await new Promise<void>((resolve) => socket.close(() => resolve()))
    },
  }
}

/** What the own machine refuses to send has surely not arrived. */
function sendOne(socket: Socket, bytes: Buffer, to: { address: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.send(bytes, to.port, to.address, (error) =>
      error ? reject(new TransportError(`Not sent: ${error.message}`, false, { cause: error })) : resolve(),
    )
  })
}

/** Which of our addresses the machine would use towards that one. Nothing is sent. */
export function addressTowards(address: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
    const done = (error?: Error) => {
      const own = error ? '' : socket.address().address
      socket.close()
      if (error) reject(new TransportError(`No way to ${address}: ${error.message}`, false, { cause: error }))
      else resolve(own)
    }
    socket.once('error', done)
    // The callback is told of errors too, though its type does not say so.
    socket.connect(9, address, (error?: Error) => done(error))
  })
}
