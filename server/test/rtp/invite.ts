import { randomUUID } from 'node:crypto'
import dgram from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** As much SIP as it takes to get sound from a peer on this machine: INVITE, ACK, BYE. The real thing is adapters/sip. */
export async function invite(peerPort: number, offer: string[]): Promise<{ answer: string; hangUp(): Promise<void> }> {
  const socket = dgram.createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  const callId = randomUUID()
  const uri = `sip:peer@127.0.0.1:${peerPort}`
  const body = ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0', ...offer, ''].join('\r\n')
  let to = `<${uri}>`
  const send = (method: string, sequence: number, content: string) => {
    const lines = [
      `${method} ${uri} SIP/2.0`,
      `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bK${method}${callId}`,
      'Max-Forwards: 70',
      `From: <sip:us@127.0.0.1:${port}>;tag=us`,
      `To: ${to}`,
      `Call-ID: ${callId}`,
      `CSeq: ${sequence} ${method}`,
      `Contact: <sip:us@127.0.0.1:${port}>`,
      ...(content ? ['Content-Type: application/sdp'] : []),
      `Content-Length: ${content.length}`,
    ]
    socket.send(`${lines.join('\r\n')}\r\n\r\n${content}`, peerPort, '127.0.0.1')
  }
  const ok = new Promise<string>((resolve, reject) => {
    socket.on('message', (data) => {
      const text = data.toString()
      const status = Number(/^SIP\/2\.0 (\d{3})/.exec(text)?.[1])
      if (status >= 300) reject(new Error(text.split('\r\n')[0]))
      if (status === 200 && /\r\nCSeq: 1 INVITE/i.test(text)) resolve(text)
    })
  })
  let answered = ''
  for (let tries = 0; tries < 40 && !answered; tries += 1) {
    send('INVITE', 1, body)
    answered = await Promise.race([ok, sleep(500, '')])
  }
  if (!answered) throw new Error('The peer did not answer.')
  to = /\r\nTo: ([^\r]*)/i.exec(answered)?.[1] ?? to
  send('ACK', 1, '')
  return {
    answer: answered.slice(answered.indexOf('\r\n\r\n') + 4),
    hangUp: async () => {
      send('BYE', 2, '')
      await Promise.race([once(socket, 'message'), sleep(1_000)])
      socket.close()
    },
  }
}
