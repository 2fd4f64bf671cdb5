import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { anySound } from '../../../test/speech/line.ts'
import { type FakeTwilio, startFakeTwilio, twilioNumbers } from '../../../test/speech/twilio.ts'
import { carrierRoutes } from '../../platform/http-carriers.ts'
import { type CallLeg, DialRefused, type LegEvent } from '../../voice/ports.ts'
import type { SpeechParts } from '../../voice/speech-link.ts'
import { describeTelephony } from '../conformance/telephony.ts'
import { signatureOf } from './signature.ts'
import { createTwilio } from './twilio.ts'

const never = new AbortController().signal
const parts: SpeechParts = {
  stt: {
    understands: () => true,
    async *transcribe() {
      yield { text: '', final: true }
    },
  },
  tts: {
    speaks: () => true,
    async *say(text, _voice, signal) {
      for (const _ of text.split(' ')) {
        signal.throwIfAborted()
        yield new Int16Array(80 * 8).fill(1_000)
      }
    },
  },
  vad: anySound,
}

/** A node with its door open, and a Twilio that knows the way. */
async function setUp(options: Parameters<typeof startFakeTwilio>[0] = {}) {
  const carrier = await startFakeTwilio(options)
  const app = Fastify()
  app.setErrorHandler((error, _request, reply) =>
    reply.status((error as { code?: string }).code === 'INVALID_SIGNATURE' ? 401 : 404).send(),
  )
  const doors: Parameters<typeof carrierRoutes>[1] = {}
  const twilioDoor: { current?: ReturnType<typeof createTwilio>['door'] } = {}
  doors.twilio = {
    receive: (post) => twilioDoor.current?.receive(post) ?? 404,
    upgrade: (...args) => twilioDoor.current?.upgrade(...args),
  }
  await carrierRoutes(app, doors)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const publicUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const { accountSid, authToken, apiUrl } = carrier
  const speech = async () => parts
  const telephony = createTwilio({ accountSid, authToken, apiUrl, publicUrl, speech, nowMs: () => performance.now() })
  twilioDoor.current = telephony.door
  const close = async () => {
    await telephony.close()
    await carrier.close()
    await app.close()
  }
  return { carrier, telephony, publicUrl, close }
}
type SetUp = Awaited<ReturnType<typeof setUp>>

const setUps: SetUp[] = []
afterEach(async () => {
  for (const each of setUps.splice(0)) await each.close()
})

describeTelephony('Twilio', async () => {
  const { telephony, ...rest } = await setUp()
  setUps.push({ telephony, ...rest })
  return { telephony, from: '+15005550000', numbers: twilioNumbers, openLegs: telephony.openLegs }
})

const request = (to: string) => ({ callId: 'call_1', from: '+15005550000', to, ringSeconds: 20 })
const answered = async (leg: CallLeg) => {
  for await (const event of leg.events) if (event.type === 'answered') return
}
const eventsOf = async (leg: CallLeg) => {
  const events: LegEvent[] = []
  for await (const event of leg.events) events.push(event)
  return events
}
const callOf = (carrier: FakeTwilio) =>
  [...carrier.calls.values()][0] as NonNullable<ReturnType<typeof carrier.calls.get>>

describe('Twilio', () => {
  let under: SetUp
  beforeEach(async () => {
    under = await setUp()
    setUps.push(under)
  })

  it('is asked once, with the number, the time to ring and a stream of its own', async () => {
    await under.telephony.dial(request(twilioNumbers.answers), never)
    const { form } = callOf(under.carrier)
    expect(Object.fromEntries(form)).toMatchObject({ To: twilioNumbers.answers, From: '+15005550000', Timeout: '20' })
    expect(form.get('Twiml')).toMatch(/^<Response><Connect><Stream url="ws:\/\/127.*\/carriers\/twilio\/media">/)
    expect(under.carrier.requests()).toBe(1)
  })

  it.each(['breaks', 'drops'] as const)(
    'a Twilio that %s leaves the outcome unknown, and is not asked again',
    async (mood) => {
      under.carrier.feels(mood)
      const failure = await under.telephony.dial(request(twilioNumbers.answers), never).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(Error)
      expect(failure).not.toBeInstanceOf(DialRefused)
      expect(under.carrier.requests()).toBe(1)
      expect(under.telephony.openLegs()).toBe(0)
    },
  )

  it('a call that rings although nobody was told it was taken is ended', async () => {
    under.carrier.feels('hangs and rings')
    await expect(under.telephony.dial(request(twilioNumbers.neverAnswers), never)).rejects.toThrow('did not say')
    await vi.waitFor(() => expect(callOf(under.carrier).over).toBe(true))
    expect(under.carrier.requests()).toBe(1)
  })

  it('a call that was asked for when the node stopped is ended as soon as it has a name', async () => {
    const dialling = under.telephony.dial(request(twilioNumbers.neverAnswers), never)
    await vi.waitFor(() => expect(under.telephony.openLegs()).toBe(1))
    await under.telephony.close()
    await dialling
    await vi.waitFor(() => expect(callOf(under.carrier).over).toBe(true))
  })

  it('a Twilio that cannot be reached has surely not rung', async () => {
    await under.carrier.close()
    await expect(under.telephony.dial(request(twilioNumbers.answers), never)).rejects.toBeInstanceOf(DialRefused)
  })

  it('keys that are pressed arrive as words, and what was queued is cleared at Twilio too', async () => {
    const leg = await under.telephony.dial(request(twilioNumbers.answers), never)
    await answered(leg)
    const saying = leg.speech.say('word '.repeat(100), 'en', never)
    const call = callOf(under.carrier)
    await vi.waitFor(() => expect(call.received.some(({ event }) => event === 'media')).toBe(true))
    for (const digit of ['4', '2', '#'])
      call.socket?.send(JSON.stringify({ event: 'dtmf', dtmf: { track: 'inbound_track', digit } }))
    expect((await saying).heard.length).toBeLessThan(250)
    expect(await leg.speech.listen({ silenceSeconds: 5 }, never)).toMatchObject({ type: 'speech', text: '4 2' })
    await vi.waitFor(() => expect(call.received.some(({ event }) => event === 'clear')).toBe(true))
    await leg.speech.say('Bye.', 'en', never)
    expect(call.received.some(({ event }) => event === 'mark')).toBe(true)
  })

  it('a stream that breaks off is a line that dropped; garbage on it changes nothing', async () => {
    const leg = await under.telephony.dial(request(twilioNumbers.answers), never)
    await answered(leg)
    const call = callOf(under.carrier)
    for (const garbage of ['{', '[]', 'null', '{"event":"media"}', '{"event":"dtmf","dtmf":{"digit":"evil"}}'])
      call.socket?.send(garbage)
    expect((await leg.speech.say('Still here.', 'en', never)).heard).toBe('Still here.')
    call.over = true
    call.socket?.terminate()
    expect((await eventsOf(leg)).at(-1)).toEqual({ type: 'ended', end: { reason: 'line_dropped', by: 'carrier' } })
  })

  it('nobody but Twilio gets in: neither by a status nor by a stream', async () => {
    const leg = await under.telephony.dial(request(twilioNumbers.neverAnswers), never)
    const url = callOf(under.carrier).form.get('StatusCallback') as string
    const form = new URLSearchParams({ CallSid: 'CA0001', CallStatus: 'completed' })
    const post = async (signature: string | undefined, body = form) =>
      (await fetch(url, { method: 'POST', body, headers: signature ? { 'x-twilio-signature': signature } : {} })).status
    const good = signatureOf(under.carrier.authToken, url, form)
    expect(await post(undefined)).toBe(401)
    expect(await post(signatureOf('guess', url, form))).toBe(401)
    expect(await post(good, new URLSearchParams({ CallSid: 'CA0001', CallStatus: 'busy' }))).toBe(401)
    expect(under.telephony.openLegs()).toBe(1)
    const mediaUrl = `${under.publicUrl.replace('http', 'ws')}/carriers/twilio/media`
    const refusal = (address: string, signature: string) =>
      new Promise<number | undefined>((resolve) => {
        const socket = new WebSocket(address, { headers: { 'x-twilio-signature': signature } })
        socket.on('unexpected-response', (_request, response) => resolve(response.statusCode))
        socket.on('open', () => resolve(101))
        socket.on('error', () => {})
      })
    expect(await refusal(mediaUrl, signatureOf('guess', mediaUrl))).toBe(401)
    expect(await refusal(`${under.publicUrl.replace('http', 'ws')}/elsewhere`, '')).toBe(404)
    await leg.hangup()
  })

  it('a signed stream for a call that is not there is closed', async () => {
    const mediaUrl = `${under.publicUrl.replace('http', 'ws')}/carriers/twilio/media`
    const headers = { 'x-twilio-signature': signatureOf(under.carrier.authToken, mediaUrl) }
    const socket = new WebSocket(mediaUrl, { headers })
    const closed = new Promise((resolve) => socket.on('close', resolve))
    await new Promise((resolve) => socket.on('open', resolve))
    const start = {
      callSid: 'CA9',
      accountSid: under.carrier.accountSid,
      streamSid: 'MZ9',
      customParameters: { leg: 'x' },
    }
    socket.send(JSON.stringify({ event: 'start', start }))
    await closed
  })

  it('without ears or a voice nobody is rung', async () => {
    const { accountSid, authToken, apiUrl } = under.carrier
    const speech = () => Promise.reject(new Error('Nothing speaks: install a voice.'))
    const mute = createTwilio({ accountSid, authToken, apiUrl, publicUrl: under.publicUrl, speech, nowMs: () => 0 })
    await expect(mute.dial(request(twilioNumbers.answers), never)).rejects.toThrow('Nothing speaks')
    expect(under.carrier.requests()).toBe(0)
  })
})

it("the signature is the one of Twilio's own example", () => {
  const form = new URLSearchParams({
    CallSid: 'CA1234567890ABCDE',
    Caller: '+14158675309',
    Digits: '1234',
    From: '+14158675309',
    To: '+18005551212',
  })
  expect(signatureOf('12345', 'https://mycompany.com/myapp.php?foo=1&bar=2', form)).toBe('RSOYDt4T1cUTdK1PDd93/VVr8B8=')
})
