import type { EventType } from '@parley/contract/events'
import type { MediaLinks } from '../media/media-links.ts'
import type { Vault } from '../platform/secrets.ts'
import { signatureOf } from './sign.ts'

export type StoredEvent = {
  eventId: string
  type: EventType
  callId: string | null
  data: object
  hasMedia: boolean
  createdAt: Date
}

/** The envelope of §6.3. Links to media are made now: they are good for five minutes from this attempt (§6.4). */
export function renderEvent(event: StoredEvent, mediaLinks: MediaLinks, now: Date): string {
  const { callId, data } = event
  if (event.hasMedia && callId !== null) {
    Object.assign(data, {
      call_recording: mediaLinks.make('recordings', callId, now),
      call_transcript: mediaLinks.make('transcripts', callId, now),
    })
  }
  return JSON.stringify({
    event_id: event.eventId,
    event_type: event.type,
    created_at: event.createdAt.toISOString(),
    data,
  })
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
