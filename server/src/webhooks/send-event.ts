import { isAscii } from 'node:buffer'
import type { SentRequest } from '@parley/contract/webhooks'
import { type Answer, longestResponse, type SafePost } from '../platform/safe-post.ts'
import type { Vault } from '../platform/secrets.ts'
import type { ClaimedDelivery } from './queue.store.ts'
import { headersFor, type RenderDeps, renderEvent } from './render-event.ts'

export type SendDeps = RenderDeps & { vault: Vault; safePost: SafePost }
export type SentEvent = Omit<Answer, 'response'> & { response: string | null; request: SentRequest }
export type ToSend = Pick<
  ClaimedDelivery,
  | 'organisation_id'
  | 'url'
  | 'signing'
  | 'secret'
  | 'event_id'
  | 'type'
  | 'call_id'
  | 'data'
  | 'has_media'
  | 'is_shared'
  | 'created_at'
  | 'is_test'
>

/** One attempt: rendered and signed now, and exactly those bytes sent. */
export async function sendEvent(deps: SendDeps, what: ToSend, now: Date): Promise<SentEvent> {
  const event = {
    eventId: what.event_id,
    organisationId: what.organisation_id,
    type: what.type,
    callId: what.call_id,
    data: what.data,
    hasMedia: what.has_media,
    isShared: what.is_shared,
    createdAt: what.created_at,
  }
  const body = await renderEvent(deps, event, now)
  const signer = { signing: what.signing, sealedSecret: what.secret }
  const { headers, secrets } = headersFor(what.event_id, body, signer, deps.vault, now)
  if (what.is_test) headers['x-webhook-test'] = 'true'
  const answer = await deps.safePost.post(what.url, headers, body)
  const detail = answer.detail === null ? null : withoutSecrets(answer.detail, secrets)
  return {
    statusCode: answer.statusCode,
    failure: answer.failure,
    durationMs: answer.durationMs,
    detail,
    response: excerptOf(answer.response, secrets),
    request: { headers: withoutSignature(headers), body },
  }
}

/** For people to look at: with the signature somebody could send the request again. */
export const withoutSignature = (headers: Record<string, string>): Record<string, string> =>
  'x-webhook-signature' in headers ? { ...headers, 'x-webhook-signature': 'v1=•••' } : headers

// The beginning of a secret is masked from this length on.
const shortestSecret = 8

/** What may be kept of a stranger's answer: text PostgreSQL can hold, without our own secrets in it. */
export function excerptOf(response: Buffer, secrets: readonly string[]): string | null {
  if (response.length === 0) return null
  // Too short to hold a secret, and so are most answers.
  if (response.length < shortestSecret && isAscii(response)) return response.toString('latin1').replaceAll('\0', '�')
  const text = withoutSecrets(response.toString('utf8').replaceAll('\0', '�'), secrets)
  // A byte that is not UTF-8 has become three.
  return new TextDecoder().decode(Buffer.from(text).subarray(0, longestResponse), { stream: true })
}

/** Where the text was cut, the beginning of a secret is one too. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((masked, secret) => {
    const whole = masked.replaceAll(secret, '•••')
    for (let length = secret.length - 1; length >= shortestSecret; length--) {
      if (whole.endsWith(secret.slice(0, length))) return `${whole.slice(0, -length)}•••`
    }
    return whole
  }, text)
}
