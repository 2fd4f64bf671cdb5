import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, it, vi } from 'vitest'
import { atEnd } from '../at-end.ts'
import { closeLinesAtEnd, startLines, trunkData } from './lines.ts'

closeLinesAtEnd()

/** A registrar that says yes to everything until it falls silent. */
async function startRegistrar() {
  const socket = createSocket('udp4')
  const asked: string[] = []
  let isSilent = false
  socket.on('message', (bytes, from) => {
    const [first = '', ...lines] = bytes.toString().split('\r\n')
    asked.push(`${first.split(' ')[0]} ${lines.find((line) => /^expires:/i.test(line)) ?? ''}`.trim().toLowerCase())
    if (isSilent) return
    const kept = lines.filter((line) => /^(via|from|to|call-id|cseq|contact|expires):/i.test(line))
    socket.send(['SIP/2.0 200 OK', ...kept, 'Content-Length: 0', '', ''].join('\r\n'), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  atEnd(() => void socket.close())
  return {
    port: socket.address().port,
    asked: (what: string) => asked.filter((each) => each === what).length,
    fallSilent: () => {
      isSilent = true
    },
  }
}

const registeredLines = async (registrar: { port: number; asked(what: string): number }, ports: [number, number]) => {
  const trunk = trunkData(registrar.port, { user: 'acme', password: 'right', register: true })
  const lines = startLines({ rtpPorts: ports, trunks: async () => [trunk] })
  lines.onIncoming?.(() => {})
  await vi.waitFor(() => expect(registrar.asked('register expires: 300')).toBe(1), { timeout: 10_000 })
  // Its answer arrives.
  await new Promise((resolve) => setTimeout(resolve, 100))
  return lines
}

it('whoever closes takes back what was registered', async () => {
  const registrar = await startRegistrar()
  const lines = await registeredLines(registrar, [25_600, 25_619])
  await lines.close()
  expect(registrar.asked('register expires: 0')).toBe(1)
})

it('closing does not wait half a minute for a carrier that has gone', async () => {
  const registrar = await startRegistrar()
  const lines = await registeredLines(registrar, [25_620, 25_639])
  registrar.fallSilent()
  const began = performance.now()
  await lines.close()
  expect(performance.now() - began).toBeLessThan(10_000)
  expect(registrar.asked('register expires: 0')).toBeGreaterThan(0)
})

it('a carrier that has gone does not keep its successor waiting for half a minute', async () => {
  const [gone, next] = [await startRegistrar(), await startRegistrar()]
  const trunk = (port: number) => trunkData(port, { user: 'acme', password: 'right', register: true })
  let trunks = [trunk(gone.port)]
  const lines = startLines({
    rtpPorts: [25_640, 25_659],
    trunks: async () => trunks,
    version: async () => JSON.stringify(trunks),
  })
  lines.onIncoming?.(() => {})
  await vi.waitFor(() => expect(gone.asked('register expires: 300')).toBe(1), { timeout: 10_000 })
  gone.fallSilent()
  trunks = [trunk(next.port)]
  await vi.waitFor(() => expect(next.asked('register expires: 300')).toBe(1), { timeout: 15_000 })
}, 30_000)
