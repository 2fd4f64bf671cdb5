import { once } from 'node:events'
import net from 'node:net'
import { expect, it } from 'vitest'
import { createTestApp } from '../app.ts'

async function listening(graceMs: number) {
  const t = await createTestApp({
    httpLimits: { headersTimeoutMs: 10_000, requestTimeoutMs: 30_000, closingGraceMs: graceMs },
  })
  const org = await t.organisation()
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = t.app.server.address() as net.AddressInfo
  const dial = async (text: string) => {
    const socket = net.connect({ port, host: '127.0.0.1' })
    socket.on('error', () => {}).resume()
    const connected = once(t.app.server, 'connection')
    await once(socket, 'connect')
    const [there] = (await connected) as [net.Socket]
    if (text !== '') {
      socket.write(text)
      await expect.poll(() => there.bytesRead).toBe(text.length)
    }
    return socket
  }
  return { t, org, dial }
}

it.each([
  ['says nothing, as browsers do in advance', ''],
  ['stopped in the middle of the headers', 'POST /v1/calls HTTP/1.1\r\nHost'],
  ['stopped in the middle of the body', 'POST /v1/calls HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{"agent'],
])('a client that %s does not keep the server from closing', async (_what, text) => {
  const { t, dial } = await listening(100)
  const socket = await dial(text)
  const gone = once(socket, 'close')
  await t.app.close()
  await gone
})

it('who says nothing is let go at once, and a request under way is answered first', async () => {
  const { t, org, dial } = await listening(60_000)
  const silent = await dial('')
  const body = JSON.stringify({ agent_id: org.agentId, user_number: '+15005550001' })
  const head = `POST /v1/calls HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${org.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  const slow = await dial(head + body.slice(0, 10))
  let answer = ''
  slow.on('data', (bytes) => {
    answer += bytes
  })
  const [letGo, ended] = [once(silent, 'close'), once(slow, 'close')]
  const closed = t.app.close()
  await letGo
  slow.write(body.slice(10))
  await ended
  expect(answer).toMatch(/^HTTP\/1\.1 201 /)
  await closed
})
