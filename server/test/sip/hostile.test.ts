import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { answering, closeAgentsAtEnd, dialOptions, endOf, never, startAgent, trunkTo, until } from './agent.ts'

closeAgentsAtEnd()
const everyone = trunkTo(1, { name: 'everyone' })

/** Says this over UDP and returns what comes back, first lines only. */
const say = (port: number, ...texts: (string | Buffer)[]): Promise<string[]> => sayUntil(0, port, ...texts)

/** The same, and waits for so many answers. */
async function sayUntil(count: number, port: number, ...texts: (string | Buffer)[]): Promise<string[]> {
  const socket = createSocket('udp4')
  const heard: string[] = []
  socket.on('message', (bytes) => heard.push(bytes.toString('latin1').split('\r\n')[0] ?? ''))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  for (const text of texts) socket.send(text, port, '127.0.0.1')
  await expect.poll(() => heard.length).toBeGreaterThanOrEqual(count)
  await sleep(150)
  socket.close()
  return heard
}
const request = (method: string, more: string[] = [], to = '') =>
  [
    `${method} sip:x@127.0.0.1 SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1:9;rport;branch=z9hG4bK${Math.random()}`,
    'From: <sip:evil@127.0.0.1>;tag=e',
    `To: <sip:x@127.0.0.1>${to}`,
    `Call-ID: ${Math.random()}`,
    `CSeq: 1 ${method}`,
    ...more,
    '',
    '',
  ].join('\r\n')

describe('whatever is thrown at it', () => {
  it('garbage is dropped, and a call works afterwards', async () => {
    const far = answering()
    const callee = await startAgent({ trunks: [everyone], onInvite: far.onInvite })
    const heard = await say(
      callee.ports.udp,
      Buffer.alloc(60_000, 'A'),
      Buffer.from([0, 1, 2, 3, 255, 254]),
      'INVITE sip:x SIP/2.0\r\n\r\n',
      request('INVITE', ['Content-Length: 99999']),
      request('INVITE', ['Content-Type: application/sdp', 'Content-Length: 4', '', 'v=9!']),
      'SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP x;branch=z9hG4bKnobody\r\nFrom: <sip:a@b>\r\nTo: <sip:a@b>\r\nCall-ID: 1\r\nCSeq: 1 INVITE\r\n\r\n',
    )
    expect(heard.every((line) => /^SIP\/2\.0 (100|4\d\d) /.test(line))).toBe(true)
    const caller = await startAgent()
    const call = await caller.dial(trunkTo(callee.ports.udp), dialOptions(), never)
    await until(call, 'answered')
    await call.hangup()
  })

  it('a stranger cannot end, hold or hear about a call without its tags', async () => {
    const far = answering()
    const callee = await startAgent({ trunks: [everyone], onInvite: far.onInvite })
    const caller = await startAgent()
    const call = await caller.dial(trunkTo(callee.ports.udp), dialOptions(), never)
    await until(call, 'answered')
    const withId = (method: string) => request(method, [], ';tag=guess').replace(/Call-ID: .*/, `Call-ID: ${call.id}`)
    const heard = await say(caller.ports.udp, withId('BYE'), withId('INVITE'), withId('UPDATE'), request('CANCEL'))
    expect(heard.map((line) => line.slice(8, 11))).toEqual(['481', '481', '481', '481'])
    expect(caller.openCalls()).toBe(1)
    await call.hangup()
    expect(await endOf(call)).toMatchObject({ by: 'agent' })
  })

  it('strangers get the same answer whatever they ask, and none of them is remembered', async () => {
    const agent = await startAgent()
    const methods = ['INVITE', 'OPTIONS', 'REGISTER', 'SUBSCRIBE', 'MESSAGE', 'NONSENSE']
    const heard = await say(agent.ports.udp, ...methods.map((method) => request(method)))
    expect(heard).toEqual(methods.map(() => 'SIP/2.0 403 Forbidden'))
    expect(await say(agent.ports.udp, request('ACK'))).toEqual([])
  })

  it('a stream that makes no sense is closed, one message in pieces is not', async () => {
    const agent = await startAgent({ trunks: [everyone] })
    const nonsense = connect(agent.ports.tcp, '127.0.0.1')
    nonsense.on('error', () => {})
    nonsense.write(`${'x'.repeat(40_000)}\r\n`)
    await once(nonsense, 'close')
    const slow = connect(agent.ports.tcp, '127.0.0.1')
    const text = request('OPTIONS', ['Content-Length: 0']).replace('UDP', 'TCP')
    for (const piece of text.match(/[\s\S]{1,40}/g) ?? []) {
      slow.write(piece)
      await sleep(1)
    }
    const [bytes] = (await once(slow, 'data')) as [Buffer]
    expect(bytes.toString()).toMatch(/^SIP\/2\.0 200 OK/)
    slow.destroy()
  })

  it('an empty double line is answered: the connection lives', async () => {
    const agent = await startAgent({ trunks: [everyone] })
    const socket = connect(agent.ports.tcp, '127.0.0.1')
    socket.write('\r\n\r\n')
    const [bytes] = (await once(socket, 'data')) as [Buffer]
    expect(bytes.toString()).toBe('\r\n')
    socket.destroy()
  })

  it('the same call by two ways rings once', async () => {
    let rings = 0
    const onInvite = () => {
      rings += 1
    }
    const agent = await startAgent({ trunks: [everyone], onInvite })
    const text = request('INVITE')
    const heard = await sayUntil(2, agent.ports.udp, text, text.replace('branch=z9hG4bK', 'branch=z9hG4bKother'))
    expect(heard.sort()).toEqual(['SIP/2.0 100 Trying', 'SIP/2.0 482 Loop Detected'])
    expect(rings).toBe(1)
  })
})
