import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

export type LossyLink = { port: number; seen: string[]; dropped: number }

/**
 * Datagrams pass both ways between one caller and `target`, except those `drops` names by their number, from 0 on. Each side
 * is given the link as the other's Contact, so that the whole call goes through it.
 */
export async function createLossyLink(
  target: number,
  drops: (index: number, text: string) => boolean,
): Promise<LossyLink> {
  const front = createSocket('udp4')
  const back = createSocket('udp4')
  for (const socket of [front, back]) {
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
  }
  onTestFinished(() => {
    front.close()
    back.close()
  })
  const link: LossyLink = { port: front.address().port, seen: [], dropped: 0 }
  let caller = 0
  const pass = (bytes: Buffer, socket: Socket, port: number, contact: number) => {
    const text = bytes.toString('latin1').replace(/^(Contact: <sip:[^>]*@127\.0\.0\.1:)\d+/m, `$1${contact}`)
    const index = link.seen.push(text.split('\r\n')[0] ?? '') - 1
    if (drops(index, text)) link.dropped += 1
    else socket.send(Buffer.from(text, 'latin1'), port, '127.0.0.1')
  }
  front.on('message', (bytes, from) => {
    caller = from.port
    pass(bytes, back, target, back.address().port)
  })
  back.on('message', (bytes) => pass(bytes, front, caller, front.address().port))
  return link
}
