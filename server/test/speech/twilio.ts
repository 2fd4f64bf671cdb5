import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { signatureOf } from '../../src/adapters/twilio/signature.ts'

/** What happens to a call to this number; whatever else is dialled answers and stays. */
export const twilioNumbers = {
  answers: '+15005550100',
  busy: '+15005550101',
  neverAnswers: '+15005550102',
  invalid: '+15005550103',
  hangsUp: '+15005550104',
} as const

type FakeCall = {
  sid: string
  to: string
  form: URLSearchParams
  /** Messages our side sent over the stream. */
  received: { event: string; [more: string]: unknown }[]
  socket: WebSocket | null
  over: boolean
}
export type FakeTwilio = Awaited<ReturnType<typeof startFakeTwilio>>

const silence = Buffer.alloc(160, 0xff).toString('base64')

/** Twilio's side of the wire: REST in, signed statuses and a media stream out. `says`: the callee's words, as mu-law. */
export async function startFakeTwilio({ signsWith, says }: { signsWith?: string; says?: Uint8Array } = {}) {
  const account = { accountSid: 'AC0123', authToken: 'twilio-token' }
  const signingToken = signsWith ?? account.authToken
  const calls = new Map<string, FakeCall>()
  const statuses: { url: string; status: number }[] = []
  let mood: 'well' | 'hangs' | 'hangs and rings' | 'breaks' | 'drops' = 'well'
  let requests = 0

  const tell = async (call: FakeCall, callStatus: string, more: Record<string, string> = {}) => {
    const url = call.form.get('StatusCallback') ?? ''
    const form = new URLSearchParams({
      CallSid: call.sid,
      AccountSid: account.accountSid,
      CallStatus: callStatus,
      ...more,
    })
    const headers = { 'x-twilio-signature': signatureOf(signingToken, url, form) }
    const response = await fetch(url, { method: 'POST', headers, body: form }).catch(() => null)
    statuses.push({ url, status: response?.status ?? 0 })
  }
  const finish = async (call: FakeCall, callStatus = 'completed', more = {}) => {
    if (call.over) return
    call.over = true
    if (call.socket?.readyState === WebSocket.OPEN) {
      call.socket.send(JSON.stringify({ event: 'stop', streamSid: `MZ${call.sid}` }))
      call.socket.close()
    }
    await tell(call, callStatus, more)
  }
  const stream = async (call: FakeCall) => {
    const url = /<Stream url="([^"]+)"/.exec(call.form.get('Twiml') ?? '')?.[1] ?? ''
    const token = /name="leg" value="([^"]+)"/.exec(call.form.get('Twiml') ?? '')?.[1] ?? ''
    const socket = new WebSocket(url, { headers: { 'x-twilio-signature': signatureOf(signingToken, url) } })
    call.socket = socket
    const streamSid = `MZ${call.sid}`
    let ticking: NodeJS.Timeout | undefined
    const pending: string[] = []
    let saidBytes = 0
    socket.on('error', () => {})
    socket.on('open', () => {
      socket.send(JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' }))
      const start = { streamSid, callSid: call.sid, accountSid: account.accountSid, customParameters: { leg: token } }
      socket.send(JSON.stringify({ event: 'start', streamSid, start }))
      ticking = setInterval(() => {
        const said = says?.subarray(saidBytes, saidBytes + 160) ?? new Uint8Array()
        saidBytes += 160
        const payload = said.length === 160 ? Buffer.from(said).toString('base64') : silence
        socket.send(JSON.stringify({ event: 'media', streamSid, media: { track: 'inbound', payload } }))
        for (const name of pending.splice(0)) socket.send(JSON.stringify({ event: 'mark', streamSid, mark: { name } }))
      }, 20)
    })
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as FakeCall['received'][number] & { mark?: { name: string } }
      call.received.push(message)
      if (message.mark) pending.push(message.mark.name)
    })
    // The stream is the whole of the TwiML: the call ends with it.
    socket.on('close', () => {
      clearInterval(ticking)
      void finish(call)
    })
  }
  const ring = async (call: FakeCall) => {
    await tell(call, 'initiated')
    if (call.to === twilioNumbers.busy) return finish(call, 'busy')
    await tell(call, 'ringing')
    if (call.to === twilioNumbers.neverAnswers) {
      await sleep(Number(call.form.get('Timeout')) * 1_000)
      return finish(call, 'no-answer')
    }
    await sleep(20)
    if (call.over) return
    await tell(call, 'in-progress')
    await stream(call)
    if (call.to === twilioNumbers.hangsUp) setTimeout(() => void finish(call), 400)
  }

  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const form = new URLSearchParams(Buffer.concat(parts).toString())
    const expected = `Basic ${Buffer.from(`${account.accountSid}:${account.authToken}`).toString('base64')}`
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.headers.authorization !== expected) return void answer(401, { code: 20_003 })
    const ending = /\/Calls\/(CA\d+)\.json$/.exec(request.url ?? '')?.[1]
    if (ending) {
      answer(200, { sid: ending })
      const call = calls.get(ending)
      if (call && form.get('Status') === 'completed') void finish(call, call.socket ? 'completed' : 'canceled')
      return
    }
    requests += 1
    if (mood === 'breaks') return void answer(500, { code: 20_500 })
    if (mood === 'drops') return void request.socket.destroy()
    if (mood === 'hangs') return
    if (form.get('To') === twilioNumbers.invalid) return void answer(400, { code: 21_211 })
    const sid = `CA${String(calls.size + 1).padStart(4, '0')}`
    const call: FakeCall = { sid, to: form.get('To') ?? '', form, received: [], socket: null, over: false }
    calls.set(sid, call)
    if (mood === 'hangs and rings') request.socket.destroy()
    else answer(201, { sid, status: 'queued' })
    void ring(call)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    ...account,
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    statuses,
    requests: () => requests,
    feels: (next: typeof mood) => {
      mood = next
    },
    close: () =>
      new Promise<void>((resolve) => {
        for (const call of calls.values()) {
          call.over = true
          call.socket?.terminate()
        }
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
