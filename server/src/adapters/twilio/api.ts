import { DialRefused, type DialRequest } from '../../voice/ports.ts'

export type TwilioAccount = { accountSid: string; authToken: string; apiUrl: string }

/** Numbers that do not exist or cannot be called, as Twilio's error codes say it. */
const invalidNumberCodes = new Set([13_223, 13_224, 13_225, 13_226, 21_201, 21_211, 21_214, 21_217])
/** Failures before a byte was sent: nobody can have been rung. */
const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH', 'CERT_HAS_EXPIRED'])
const requestMs = 20_000
const hangUpAttempts = 3

/**
 * Asks for a call, once. DialRefused when Twilio surely did not take it; any other error means that nobody knows, and
 * nobody asks again (decisions 3).
 */
export async function createCall(account: TwilioAccount, call: DialRequest & { twiml: string; statusUrl: string }) {
  const form = new URLSearchParams({
    To: call.to,
    From: call.from,
    Twiml: call.twiml,
    Timeout: String(Math.round(call.ringSeconds)),
    StatusCallback: call.statusUrl,
    StatusCallbackMethod: 'POST',
  })
  for (const event of ['initiated', 'ringing', 'answered', 'completed']) form.append('StatusCallbackEvent', event)
  const response = await post(account, 'Calls.json', form).catch((error: unknown) => {
    const { code } = ((error as Error).cause ?? {}) as { code?: string }
    if (code && neverSent.has(code)) throw new DialRefused('carrier_error', 'Twilio cannot be reached.')
    throw new Error('Twilio did not say whether it took the call.', { cause: error })
  })
  const body = (await response.json().catch(() => ({}))) as { sid?: unknown; code?: unknown }
  if (response.ok && typeof body.sid === 'string') return body.sid
  // From 400 on it was read and refused; from 500 on nobody knows how far it got.
  if (response.status >= 400 && response.status < 500 && response.status !== 408) {
    const invalid = invalidNumberCodes.has(Number(body.code))
    throw new DialRefused(invalid ? 'invalid_number' : 'carrier_error', `Twilio refused the call (${response.status}).`)
  }
  throw new Error(`Twilio did not say whether it took the call (${response.status}).`)
}

/** Ends a call that rings or talks. Safe to repeat, so it is, when it fails. */
export async function endCall(account: TwilioAccount, callSid: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await post(
        account,
        `Calls/${encodeURIComponent(callSid)}.json`,
        new URLSearchParams({ Status: 'completed' }),
      )
      await response.body?.cancel()
      if (response.status < 500) return
    } catch {}
    if (attempt === hangUpAttempts) return
  }
}

function post(
  { accountSid, authToken, apiUrl }: TwilioAccount,
  path: string,
  form: URLSearchParams,
): Promise<Response> {
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
  return fetch(`${apiUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { authorization },
    body: form,
    signal: AbortSignal.timeout(requestMs),
  })
}
