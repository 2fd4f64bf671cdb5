import type { EventType } from '@parley/contract/events'
import type { MediaLinks } from '../media/media-links.ts'
import type { Vault } from '../platform/secrets.ts'
import type { ShareLinks } from '../sharing/share.ts'
import type { ShareFinder } from '../sharing/share-finder.ts'
import { signatureOf } from './sign.ts'

export type StoredEvent = {
  eventId: string
  organisationId: string
  type: EventType
  callId: string | null
  /** JSON as it was written: it goes on as it is, unless there are links to put in. */
  data: string
  hasMedia: boolean
  /** The organisation shares its calls at present. */
  isShared: boolean
  createdAt: Date
}

export type RenderDeps = { mediaLinks: MediaLinks; shares: Pick<ShareFinder, 'linksFor'> }

/** The envelope of §6.3, with the links of this attempt (§6.4). */
export async function renderEvent(deps: RenderDeps, event: StoredEvent, now: Date): Promise<string> {
  const { eventId, type, createdAt } = event
  const links = await linksFor(deps, event, now)
  const data = links ? JSON.stringify({ ...JSON.parse(event.data), ...links }) : event.data
  return `{"event_id":"${eventId}","event_type":"${type}","created_at":"${createdAt.toISOString()}","data":${data}}`
}

/** Null when there is nothing to put in. */
async function linksFor({ mediaLinks, shares }: RenderDeps, event: StoredEvent, now: Date): Promise<object | null> {
  const { callId, organisationId, hasMedia, isShared } = event
  if (callId === null || !event.type.startsWith('call.')) return null
  const shared = isShared ? await shares.linksFor(organisationId, callId, now) : null
  if (!shared) return hasMedia ? signedMedia(mediaLinks, callId, now) : null
  const page = { call_details_url: shared.detailsUrl, share_token: shared.token }
  return hasMedia ? { ...page, ...publicMedia(shared) } : page
}

/** Stable: the token is the same in every attempt, for as long as it opens anything. */
const publicMedia = ({ recordingUrl, transcriptUrl }: ShareLinks) => ({
  call_recording: recordingUrl,
  call_transcript: transcriptUrl,
})

/** Good for five minutes from this attempt. */
const signedMedia = (mediaLinks: MediaLinks, callId: string, now: Date) => ({
  call_recording: mediaLinks.make('recordings', callId, now),
  call_transcript: mediaLinks.make('transcripts', callId, now),
})

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
