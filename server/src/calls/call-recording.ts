import { setTimeout as sleep } from 'node:timers/promises'
import type { Storage } from '../media/ports.ts'
import { recordingKey } from '../media/removals.service.ts'
import type { Log } from '../platform/log.ts'
import type { CallLeg } from '../voice/ports.ts'

type Whose = { organisationId: string; callId: string }
const waitsMs = [500, 2_000]

/** Keeps what was really heard. Null: nobody recorded. False: there is nothing, or no store would take it. */
export async function keepRecording(
  { storage, log }: { storage: Storage; log: Log },
  { organisationId, callId }: Whose,
  leg: CallLeg,
): Promise<boolean | null> {
  if (!leg.recording) return null
  try {
    const wav = await leg.recording()
    if (!wav) return false
    await putPatiently(storage, recordingKey(organisationId, callId), wav)
    return true
  } catch (err) {
    log.error({ err, call_id: callId }, 'a recording could not be stored')
    return false
  }
}

async function putPatiently(storage: Storage, key: string, content: Buffer): Promise<void> {
  for (const waitMs of waitsMs) {
    try {
      return await storage.put(key, content, 'audio/wav')
    } catch {
      await sleep(waitMs)
    }
  }
  await storage.put(key, content, 'audio/wav')
}
