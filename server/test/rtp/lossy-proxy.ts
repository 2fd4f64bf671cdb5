import dgram from 'node:dgram'
import { once } from 'node:events'
import { atEnd } from '../at-end.ts'

/** What becomes of the n-th datagram: how many copies are sent on, and behind how many later ones. */
export type Fate = (index: number) => { copies: number; behind: number }

/** A socket between two others that drops, doubles and swaps datagrams by a rule. Both sides think it is the other. */
export async function startLossyProxy(left: number, right: number, fate: Fate): Promise<{ port: number }> {
  const socket = dgram.createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  atEnd(() => socket.close())
  let index = 0
  let held: { data: Buffer; after: number; copies: number }[] = []
  const sendOn = (data: Buffer, copies: number) => {
    for (let copy = 0; copy < copies; copy += 1) socket.send(data, right, '127.0.0.1')
  }
  socket.on('message', (data, from) => {
    if (from.port !== left) {
      socket.send(data, left, '127.0.0.1')
      return
    }
    const { copies, behind } = fate(index)
    if (behind > 0) held.push({ data, copies, after: index + behind })
    else sendOn(data, copies)
    for (const each of held) if (each.after <= index) sendOn(each.data, each.copies)
    held = held.filter((each) => each.after > index)
    index += 1
  })
  return { port: socket.address().port }
}
