import type { MediaLinks } from '../media/media-links.ts'
import type { MediaObject, MediaSource, Storage } from '../media/ports.ts'
import { recordingKey } from '../media/removals.service.ts'
import type { Clock } from '../platform/clock.ts'
import type { Queryable } from '../platform/db.ts'
import { isId } from '../platform/ids.ts'
import type { Utterance } from '../voice/ports.ts'
import type { CallRecord } from './call.ts'
import type { CallMedia } from './call-view.ts'
import { selectCallForMedia } from './calls.store.ts'
import { selectUtterances } from './moves.store.ts'

export type CallMediaDeps = { db: Queryable; clock: Clock; mediaLinks: MediaLinks }

const isOver = (call: CallRecord) => call.status === 'completed' || call.status === 'failed'

/** Transcripts of these calls, live while they run, and a fresh link to each recording there is. */
export async function mediaOf(
  { db, clock, mediaLinks }: CallMediaDeps,
  calls: CallRecord[],
): Promise<(call: CallRecord) => CallMedia> {
  const answered = calls.filter((call) => call.answeredAt !== null)
  const transcripts =
    answered.length > 0
      ? await selectUtterances(
          db,
          answered.map((call) => call.callId),
        )
      : new Map()
  return (call) => {
    const transcript = transcripts.get(call.callId) ?? null
    const hasRecording = isOver(call) && (call.recorded ?? transcript !== null)
    return { transcript, recordingUrl: hasRecording ? mediaLinks.make('recordings', call.callId, clock.now()) : null }
  }
}

export type RecordedTalk = {
  transcript: Utterance[]
  durationSeconds: number
  language: string
}
export type RenderRecording = (talk: RecordedTalk) => Promise<Buffer>
type SourceDeps = { db: Queryable; storage: Storage; renderRecording: RenderRecording }

const fromBuffer = (content: Buffer, contentType: string): MediaObject => ({
  size: content.length,
  contentType,
  read: async function* (start, end) {
    yield content.subarray(start, end + 1)
  },
})

async function stored(storage: Storage, key: string): Promise<MediaObject | null> {
  const object = await storage.get(key)
  if (!object) return null
  return {
    size: object.size,
    contentType: object.contentType,
    read: async function* (start, end) {
      const part = await storage.get(key, { start, end })
      if (part) yield* part.body
    },
  }
}

/** A recording is rendered when it is first asked for: a load test must not pay for sound nobody hears. */
export function recordingSource({ db, storage, renderRecording }: SourceDeps): MediaSource {
  const rendering = new Map<string, Promise<MediaObject | null>>()

  const render = async (callId: string): Promise<MediaObject | null> => {
    const call = await selectCallForMedia(db, callId)
    if (!call) return null
    const key = recordingKey(call.organisationId, callId)
    const kept = await stored(storage, key)
    // What a real line carried cannot be made up from the words.
    if (kept || call.recorded !== null) return kept
    const transcript = (await selectUtterances(db, [callId])).get(callId)
    if (!transcript) return null
    const content = await renderRecording({
      transcript,
      durationSeconds: call.durationSeconds,
      language: call.language,
    })
    // A store that is full or away costs another rendering the next time, not the recording.
    await storage.put(key, content, 'audio/wav').catch(() => {})
    // Erased while it was being rendered: then nobody may hear it, now or later.
    if (await selectCallForMedia(db, callId)) return fromBuffer(content, 'audio/wav')
    await storage.remove(key)
    return null
  }

  return {
    async open(callId) {
      if (!isId('call', callId)) return null
      const under = rendering.get(callId) ?? render(callId).finally(() => rendering.delete(callId))
      rendering.set(callId, under)
      return under
    },
  }
}

export function transcriptSource(db: Queryable): MediaSource {
  return {
    async open(callId) {
      const transcript = isId('call', callId) ? (await selectUtterances(db, [callId])).get(callId) : undefined
      return transcript ? fromBuffer(Buffer.from(JSON.stringify(transcript)), 'application/json; charset=utf-8') : null
    },
  }
}
