import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import type { Address } from './source-latch.ts'

/** One bound port of a line. */
export type LineSocket = {
  send(data: Buffer, to: Address): void
  /**
   * Ties the port to the other side, or to nobody: the system then needs no route per packet, and drops what strangers
   * send by itself.
   */
  tie(to: Address | null): void
  onMessage(take: (data: Buffer, from: RemoteInfo) => void): void
  close(): void
}

export async function bindLineSocket(host: string, port: number): Promise<LineSocket> {
  const socket = await bind(host, port)
  let tied: Address | null = null

  function tie(to: Address | null): void {
    if (to === tied || (to && tied && isSame(to, tied))) return
    if (tied) socket.disconnect()
    tied = null
    if (!to) return
    // At once, because the look-up is; whether it succeeded is seen by asking.
    socket.connect(to.port, to.address)
    try {
      socket.remoteAddress()
      tied = { address: to.address, port: to.port }
    } catch {}
  }

  return {
    send(data, to) {
      if (tied && !isSame(to, tied)) tie(null)
      if (tied) socket.send(data)
      else socket.send(data, to.port, to.address)
    },
    tie,
    onMessage: (take) => void socket.on('message', take),
    close: () => void socket.close(),
  }
}

const isSame = (a: Address, b: Address) => a.port === b.port && a.address === b.address

async function bind(host: string, port: number): Promise<Socket> {
  const family = isIPv6(host) ? 6 : 4
  // Addresses are given as numbers: the usual look-up would cost a turn of the loop per packet.
  const lookup = (name: string, _options: unknown, done: (error: null, address: string, family: number) => void) =>
    done(null, name, family)
  const socket = createSocket({ type: `udp${family}`, lookup: lookup as never })
  // Before it is bound: that look-up lets it happen at once.
  const bound = once(socket, 'listening')
  socket.bind({ port, address: host, exclusive: true })
  try {
    await bound
  } catch (error) {
    socket.close()
    throw error
  }
  // A port that nobody listens on is reported here; the line goes on.
  socket.on('error', () => {})
  return socket
}
