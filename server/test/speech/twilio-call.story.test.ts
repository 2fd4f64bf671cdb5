import net from 'node:net'
import { describe, expect, it } from 'vitest'
import { createFliteSpeech } from '../../src/adapters/speech/flite.ts'
import { createMoonshineRecogniser } from '../../src/adapters/speech/moonshine.ts'
import { toMuLaw } from '../../src/voice/mu-law.ts'
import { createTestApp } from '../app.ts'
import { spokenOnPhone } from './spoken.ts'
import { startFakeTwilio, twilioNumbers } from './twilio.ts'

const isThere = (await createMoonshineRecogniser()) && (await createFliteSpeech())

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as net.AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe.skipIf(!isThere)('a whole call through Twilio', () => {
  it('rings, is answered by a machine, is understood, and its outcome is reported', async () => {
    const announcement = await spokenOnPhone('You have reached my voicemail. Please leave a message after the tone.')
    const carrier = await startFakeTwilio({ says: toMuLaw(announcement) })
    const port = await freePort()
    const test = await createTestApp({
      workers: {},
      settings: {
        PARLEY_TWILIO_ACCOUNT_SID: carrier.accountSid,
        PARLEY_TWILIO_AUTH_TOKEN: carrier.authToken,
        PARLEY_TWILIO_API_URL: carrier.apiUrl,
        PARLEY_TWILIO_PUBLIC_URL: `http://127.0.0.1:${port}`,
      },
    })
    await test.app.listen({ host: '127.0.0.1', port })
    const { key, agentId } = await test.organisation({
      phone_numbers: [{ number: '+15005550199', carrier: 'twilio' }],
      agents: [{ name: 'Asha', number: '+15005550199', greeting: 'Hello, this is Asha of Acme Clinic.' }],
    })
    const created = await test.send(key, 'POST', '/v1/calls', { agent_id: agentId, user_number: '+12025550100' })
    const { call_id: callId } = created.json().data
    const call = await test.untilCall(key, callId, ({ status }) => status === 'completed' || status === 'failed')
    expect(call).toMatchObject({ status: 'completed', error: null })
    const done = await test.untilCall(key, callId, ({ call_analytics }) => call_analytics !== null)
    expect(done.call_analytics).toMatchObject({ disposition: 'voicemail' })
    expect(carrier.requests()).toBe(1)
    expect(carrier.statuses.every(({ status }) => status === 204)).toBe(true)

    const stranger = await test.app.inject({
      method: 'POST',
      url: '/carriers/twilio/status?leg=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'CallStatus=completed',
    })
    expect([stranger.statusCode, stranger.json().error.code]).toEqual([401, 'INVALID_SIGNATURE'])
    expect(test.logLines.join()).not.toContain(carrier.authToken)
    expect(Object.values(twilioNumbers)).not.toContain(call.call_to)
    await carrier.close()
  })
})
