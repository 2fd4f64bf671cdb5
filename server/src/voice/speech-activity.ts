import { frameMs } from './audio.ts'

/**
 * From single frames to stretches of speech. A stretch begins after a few voiced frames, so that a click is not a word,
 * and is closed by a pause that is shorter than the end of a turn: recognition works while the rest of the pause passes.
 */
export type Activity = {
  nowMs: number
  /** Voiced frames in a row that are not yet a stretch. */
  risingMs: number
  stretch: Stretch | null
}
export type Stretch = { number: number; startedMs: number; voicedMs: number; lastVoicedMs: number }

export const onsetMs = 60
export const stretchPauseMs = 360
/** Recognisers want an end now and then, also of somebody who never pauses. */
export const longestStretchMs = 28_000

export const quiet: Activity = { nowMs: 0, risingMs: 0, stretch: null }

export type ActivityChange = { opened?: Stretch; closed?: Stretch }

export function hearFrame(activity: Activity, voiced: boolean, nextNumber: number): [Activity, ActivityChange] {
  const nowMs = activity.nowMs + frameMs
  const { stretch } = activity
  if (!stretch) {
    const risingMs = voiced ? activity.risingMs + frameMs : 0
    if (risingMs < onsetMs) return [{ nowMs, risingMs, stretch: null }, {}]
    const opened = { number: nextNumber, startedMs: nowMs - risingMs, voicedMs: risingMs, lastVoicedMs: nowMs }
    return [{ nowMs, risingMs: 0, stretch: opened }, { opened }]
  }
  const heard = voiced ? { ...stretch, voicedMs: stretch.voicedMs + frameMs, lastVoicedMs: nowMs } : stretch
  const paused = nowMs - heard.lastVoicedMs >= stretchPauseMs
  if (!paused && nowMs - heard.startedMs < longestStretchMs) return [{ nowMs, risingMs: 0, stretch: heard }, {}]
  return [{ nowMs, risingMs: 0, stretch: null }, { closed: heard }]
}
