import { randomBytes } from 'node:crypto'
import { unlessAborted } from '../../platform/unless-aborted.ts'
import { DialRefused, type DialRequest, type Telephony } from '../../voice/ports.ts'
import type { SpeechParts } from '../../voice/speech-link.ts'
import { createCall, endCall, type TwilioAccount } from './api.ts'
import { createDoor, doorPaths } from './door.ts'
import { openLeg, type TwilioLeg } from './leg.ts'

export type TwilioOptions = TwilioAccount & {
  /** How Twilio reaches this very node, e.g. `https://calls.example.com`. */
  publicUrl: string
  /** What real lines listen and speak with. Rejects when there is nothing. */
  speech: () => Promise<SpeechParts>
  nowMs: () => number
}

/** Tokens of dials nobody knows the outcome of; the oldest are forgotten. */
const mostUnknown = 1_000

/** Calls through Twilio: placed by REST, spoken over Media Streams. */
export function createTwilio(options: TwilioOptions) {
  const { publicUrl, speech, nowMs, ...account } = options
  const legs = new Map<string, TwilioLeg>()
  const unknown = new Set<string>()
  let closed = false
  const refuse = (why: string) => new DialRefused('carrier_error', why)

  const place = async (request: DialRequest, token: string, leg: TwilioLeg) => {
    const statusUrl = `${publicUrl}${doorPaths.status}?leg=${token}`
    try {
      leg.taken(await createCall(account, { ...request, statusUrl, twiml: twimlFor(publicUrl, token) }))
    } catch (error) {
      // Should it ring after all, its first status tells its name, and it is ended.
      if (!(error instanceof DialRefused)) unknown.add(token)
      for (const oldest of unknown) if (unknown.size > mostUnknown) unknown.delete(oldest)
      leg.never()
      throw error
    }
  }

  const telephony: Telephony = {
    dial: async (request, signal) => {
      signal.throwIfAborted()
      if (closed) throw refuse('Twilio is closed.')
      const parts = await speech().catch((error: unknown) => {
        throw refuse((error as Error).message)
      })
      signal.throwIfAborted()
      if (closed) throw refuse('Twilio is closed.')
      const token = randomBytes(24).toString('base64url')
      const onEnd = () => legs.delete(token)
      const leg = openLeg({ account, request, parts, nowMs, onEnd })
      legs.set(token, leg)
      const placing = place(request, token, leg)
      try {
        await unlessAborted(placing, signal)
      } catch (error) {
        // It was asked for and cannot be unasked: whatever comes of it is hung up.
        if (signal.aborted) placing.then(leg.hangup, () => {})
        throw error
      }
      return leg
    },
    close: async () => {
      closed = true
      await Promise.all([...legs.values()].map((leg) => leg.hangup()))
      door.close()
    },
  }
  const door = createDoor({
    account,
    publicUrl,
    find: (token) => legs.get(token),
    onStray: (token, callSid) => {
      if (unknown.delete(token)) void endCall(account, callSid)
    },
  })
  return { ...telephony, door, openLegs: () => legs.size }
}

/** The stream is all there is: when it closes, the call is over. */
function twimlFor(publicUrl: string, token: string): string {
  const url = `${publicUrl.replace(/^http/, 'ws')}${doorPaths.media}`
  const quoted = url.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
  return `<Response><Connect><Stream url="${quoted}"><Parameter name="leg" value="${token}"/></Stream></Connect></Response>`
}
