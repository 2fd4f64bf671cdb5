import type { EventType } from '@parley/contract/events'
import type { MediaLinks } from '../media/media-links.ts'
import type { Vault } from '../platform/secrets.ts'
import { signatureOf } from './sign.ts'

export type StoredEvent = {
  eventId: string
  type: EventType
  callId: string | null
  /** JSON as it was written: it goes on as it is, unless there are links to put in. */
  data: string
  hasMedia: boolean
  createdAt: Date
}

/** The envelope of §6.3. Links to media are made now: they are good for five minutes from this attempt (§6.4). */
export function renderEvent(event: StoredEvent, mediaLinks: MediaLinks, now: Date): string {
  const { eventId, type, callId, createdAt, hasMedia } = event
  const data = hasMedia && callId !== null ? withLinks(event.data, callId, mediaLinks, now) : event.data
  return `{"event_id":"${eventId}","event_type":"${type}","created_at":"${createdAt.toISOString()}","data":${data}}`
}

function withLinks(text: string, callId: string, mediaLinks: MediaLinks, now: Date): string {
  const data = JSON.parse(text)
  data.call_recording = mediaLinks.make('recordings', callId, now)
  data.call_transcript = mediaLinks.make('transcripts', callId, now)
  return JSON.stringify(data)
}

export type Signer = { signing: boolean; sealedSecret: Buffer }

/** §6.1: the headers of one attempt. */
export function headersFor(eventId: string, body: string, signer: Signer, vault: Vault, now: Date) {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'Parley-Webhooks/1',
    'accept-encoding': 'identity',
    'x-webhook-id': eventId,
  }
  if (!signer.signing) return { headers, secrets: [] }
  const secret = vault.open(signer.sealedSecret)
  const timestamp = Math.floor(now.getTime() / 1_000)
  const signature = signatureOf(secret, timestamp, body)
  headers['x-webhook-timestamp'] = String(timestamp)
  headers['x-webhook-signature'] = signature
  return { headers, secrets: [secret, signature] }
}
