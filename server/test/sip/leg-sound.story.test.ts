import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createDigitWriter } from '../../src/adapters/rtp/digits-out.ts'
import { buildRtp, rtpHeaderLength } from '../../src/adapters/rtp/packet.ts'
import { parseRtcp } from '../../src/adapters/rtp/rtcp.ts'
import type { CallLeg } from '../../src/voice/ports.ts'
import { never } from './agent.ts'
import { freePort } from './free-port.ts'
import { closeLinesAtEnd, startLines, trunkData } from './lines.ts'
import { sound, startWirePhone, type WirePhone } from './wire-phone.ts'

closeLinesAtEnd()
const silence = 0xff

async function bound(port: number): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind(port, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return socket
}

/** A telephone's sound: silence without end, and keys as RFC 4733 has them. */
async function startSound(invite: { body: Buffer }, port: number) {
  const to = Number(/^m=audio (\d+)/m.exec(invite.body.toString())?.[1])
  const socket = await bound(port)
  const reports = await bound(port + 1)
  const heard = { packets: 0, reports: [] as ReturnType<typeof parseRtcp> }
  socket.on('message', () => {
    heard.packets += 1
  })
  reports.on('message', (data) => heard.reports.push(...parseRtcp(data)))
  const digits = createDigitWriter()
  const terms = { eventType: 101 }
  let count = 0
  const timer = setInterval(() => {
    count += 1
    const step = digits.next(160 * count)
    const event = step?.type === 'event' ? step : null
    const head = {
      sequence: count,
      ssrc: 7,
      marker: event?.marker ?? false,
      timestamp: event?.timestamp ?? 160 * count,
    }
    const packet = buildRtp({ ...head, payloadType: event ? terms.eventType : 0 }, event ? event.payload.length : 160)
    if (event) packet.set(event.payload, rtpHeaderLength)
    else packet.fill(silence, rtpHeaderLength)
    socket.send(packet, to, '127.0.0.1')
  }, 20)
  onTestFinished(() => clearInterval(timer))
  return { heard, terms, press: digits.press }
}

async function answeredLeg(rtpPorts: [number, number]) {
  const lines = startLines({ rtpPorts })
  const phone = await startWirePhone()
  const port = await freePort()
  const body = sound({ port })
  const trunk = trunkData(phone.port)
  const request = { callId: 'call_1', from: '+15005550000', to: '+15005550001', ringSeconds: 20, trunk }
  const [leg, invite] = await Promise.all([lines.dial(request, never), phone.answer({ body })])
  for await (const event of leg.events) if (event.type === 'answered') break
  return { leg, invite, phone, port, sounding: await startSound(invite, port) }
}
const hangUp = async (leg: CallLeg, phone: WirePhone) => {
  const leaving = leg.hangup()
  phone.reply(await phone.request('BYE'), '200 OK')
  await leaving
}

it('keys pressed in the sound are heard as input, also after a change gave them another number', async () => {
  const { leg, invite, phone, port, sounding } = await answeredLeg([25_700, 25_719])
  const listen = () => leg.speech.listen({ silenceSeconds: 10 }, never)
  const first = listen()
  await sleep(300)
  sounding.press('42#')
  expect(await first).toMatchObject({ type: 'speech', text: '4 2' })
  phone.ask(invite, 'INVITE', 1, { body: sound({ port, version: 2 }).replaceAll('101', '97') })
  await expect.poll(() => phone.heard.some((each) => each.kind === 'response' && each.status === 200)).toBe(true)
  phone.ask(invite, 'ACK', 1)
  sounding.terms.eventType = 97
  const second = listen()
  await sleep(300)
  sounding.press('19#')
  expect(await second).toMatchObject({ type: 'speech', text: '1 9' })
  await hangUp(leg, phone)
})

it('the other side is told by RTCP what we sent and what we heard, and goodbye at the end', async () => {
  const { leg, phone, sounding } = await answeredLeg([25_720, 25_739])
  const { heard } = sounding
  const report = await vi.waitFor(
    () => {
      const found = heard.reports.find((each) => each.type === 'sender_report')
      expect(found).toBeDefined()
      return found
    },
    { timeout: 15_000, interval: 100 },
  )
  expect(report).toMatchObject({ sender: { packets: expect.any(Number) }, blocks: [{ ssrc: 7, cumulativeLost: 0 }] })
  expect(heard.packets).toBeGreaterThan(50)
  await hangUp(leg, phone)
  await expect.poll(() => heard.reports.some((each) => each.type === 'bye')).toBe(true)
})
