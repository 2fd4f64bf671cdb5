import dgram from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** What Node's sockets alone cost: as many datagrams there and back, and nothing done with them. % of a core per call. */
export async function measureBareUdp(
  calls: number,
  seconds: number,
  portOf: (index: number) => number,
): Promise<number> {
  const lookup = (name: string, _options: unknown, done: (error: null, address: string, family: number) => void) =>
    done(null, name, 4)
  const sockets = await Promise.all(
    Array.from({ length: calls }, async () => {
      const socket = dgram.createSocket({ type: 'udp4', lookup: lookup as never })
      const bound = once(socket, 'listening')
      socket.on('message', () => {}).bind(0, '127.0.0.1')
      await bound
      return socket
    }),
  )
  const timer = setInterval(() => {
    for (const [index, socket] of sockets.entries()) socket.send(Buffer.allocUnsafe(172), portOf(index), '127.0.0.1')
  }, 20)
  await sleep(500)
  const cpu = process.cpuUsage()
  const began = performance.now()
  await sleep(1_000 * seconds)
  const used = process.cpuUsage(cpu)
  const percent = ((used.user + used.system) / 1_000 / (performance.now() - began) / calls) * 100
  clearInterval(timer)
  for (const socket of sockets) socket.close()
  return percent
}
