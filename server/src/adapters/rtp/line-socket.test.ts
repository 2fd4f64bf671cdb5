import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { atEnd } from '../../../test/at-end.ts'
import { bindLineSocket, type LineSocket } from './line-socket.ts'

const host = '127.0.0.1'

async function peer(): Promise<{ socket: Socket; address: { address: string; port: number }; got: string[] }> {
  const socket = createSocket('udp4').bind(0, host)
  await once(socket, 'listening')
  atEnd(() => void socket.close())
  const got: string[] = []
  socket.on('message', (data) => got.push(data.toString()))
  return { socket, address: { address: host, port: socket.address().port }, got }
}

async function line(): Promise<{ own: LineSocket; port: number; got: string[] }> {
  const taken = createSocket('udp4').bind(0, host)
  await once(taken, 'listening')
  const { port } = taken.address()
  taken.close()
  await once(taken, 'close')
  const own = await bindLineSocket(host, port)
  atEnd(() => own.close())
  const got: string[] = []
  own.onMessage((data) => got.push(data.toString()))
  return { own, port, got }
}

it('tied to one side, it hears that side only, and sends to it without being told where', async () => {
  const [one, two, { own, port, got }] = await Promise.all([peer(), peer(), line()])
  own.tie(one.address)
  own.tie({ ...one.address })
  one.socket.send('from one', port, host)
  two.socket.send('from two', port, host)
  own.send(Buffer.from('to one'), one.address)
  await expect.poll(() => [got, one.got]).toEqual([['from one'], ['to one']])
  await sleep(50)
  expect(got).toEqual(['from one'])
  own.tie(null)
  two.socket.send('from two', port, host)
  await expect.poll(() => got).toEqual(['from one', 'from two'])
})

it('what is for somebody else arrives there, tied or not', async () => {
  const [one, two, { own }] = await Promise.all([peer(), peer(), line()])
  own.tie(one.address)
  own.send(Buffer.from('a'), two.address)
  own.tie(two.address)
  own.send(Buffer.from('b'), two.address)
  own.tie(one.address)
  own.send(Buffer.from('c'), one.address)
  await expect.poll(() => [one.got, two.got]).toEqual([['c'], ['a', 'b']])
})

it('goes on when the other side has closed its port, and hears it when it is back', async () => {
  const [one, { own, port, got }] = await Promise.all([peer(), line()])
  const gone = createSocket('udp4').bind(0, host)
  await once(gone, 'listening')
  const { port: gonePort } = gone.address()
  own.tie({ address: host, port: gonePort })
  gone.close()
  await once(gone, 'close')
  for (let i = 0; i < 5; i += 1) {
    own.send(Buffer.from('anyone?'), { address: host, port: gonePort })
    await sleep(5)
  }
  const back = createSocket('udp4').bind(gonePort, host)
  await once(back, 'listening')
  atEnd(() => void back.close())
  back.send('back', port, host)
  await expect.poll(() => got).toEqual(['back'])
  own.tie(null)
  one.socket.send('one', port, host)
  await expect.poll(() => got).toEqual(['back', 'one'])
})
