import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll, describe, expect, it } from 'vitest'
import { createResolve } from './dns.ts'

const sockets: Socket[] = []
afterAll(() => {
  for (const socket of sockets) socket.close()
})

/** A name server that answers A questions with these addresses (none: no such name), or not at all. */
async function startNameServer(addresses: string[] | 'silence'): Promise<string[]> {
  const socket = createSocket('udp4')
  sockets.push(socket)
  socket.on('message', (question, { port, address }) => {
    if (addresses === 'silence') return
    const end = question.indexOf(0, 12) + 5
    const isA = question.readUInt16BE(end - 4) === 1
    const answers = isA ? addresses : []
    const head = Buffer.from(question.subarray(0, 12))
    // An answer; when there are no addresses at all: no such name.
    head.writeUInt16BE(addresses.length > 0 ? 0x8180 : 0x8183, 2)
    head.writeUInt16BE(answers.length, 6)
    head.writeUInt16BE(0, 8)
    head.writeUInt16BE(0, 10)
    const records = answers.map((each) =>
      Buffer.concat([Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4]), Buffer.from(each.split('.').map(Number))]),
    )
    socket.send(Buffer.concat([head, question.subarray(12, end), ...records]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return [`127.0.0.1:${socket.address().port}`]
}

describe('names of receivers', () => {
  it('are resolved to every address the name server gives', async () => {
    const resolve = createResolve(await startNameServer(['203.0.113.7', '10.0.0.1']))
    expect(await resolve('hooks.example.com')).toEqual(['203.0.113.7', '10.0.0.1'])
  })

  it('that DNS does not know may stand in the hosts file', async () => {
    const resolve = createResolve(await startNameServer([]))
    const addresses = await resolve('localhost')
    expect(addresses.length).toBeGreaterThan(0)
    for (const each of addresses) expect(['127.0.0.1', '::1']).toContain(each)
  })

  it('whose servers never answer do not keep others waiting', async () => {
    const [silent, answering] = [await startNameServer('silence'), await startNameServer(['203.0.113.7'])]
    let ended = 0
    const hanging = Array.from({ length: 20 }, (_, i) =>
      createResolve(silent)(`dead-${i}.example.com`).catch((error: { code: string }) => {
        ended += 1
        return error.code
      }),
    )
    expect(await createResolve(answering)('alive.example.com')).toEqual(['203.0.113.7'])
    expect(ended).toBe(0)
    expect(new Set(await Promise.all(hanging))).toEqual(new Set(['ESERVFAIL']))
  })
})
