import { frameMs, frameSamples } from '../../voice/audio.ts'
import { toMuLaw } from '../../voice/mu-law.ts'

/** Sent ahead of time, so that a late tick is not heard; so little that a flush still sounds like one. */
const aheadFrames = 5
/** A confirmation that does not come is not waited for. */
const markPatienceFrames = 50

export type Send = (message: object) => void

/** What is played: sent in step with the line's time, taken back by `clear`, confirmed by a mark. */
export function createOutgoing() {
  let line: { send: Send; streamSid: string } | null = null
  let waiting: Int16Array[] = []
  let waitingSamples = 0
  /** Sent, and not played yet as far as we can tell. */
  let sent: Int16Array[] = []
  let marks = 0
  let mark: { name: string; patience: number } | null = null

  const say = (event: string, more: object = {}) => line?.send({ event, streamSid: line.streamSid, ...more })
  const takeFrame = (): Int16Array => {
    const frame = new Int16Array(frameSamples)
    for (let at = 0; at < frameSamples && waiting.length > 0; ) {
      const [first] = waiting as [Int16Array]
      const part = first.subarray(0, frameSamples - at)
      frame.set(part, at)
      at += part.length
      waitingSamples -= part.length
      if (part.length === first.length) waiting.shift()
      else waiting[0] = first.subarray(part.length)
    }
    return frame
  }
  const sendAhead = () => {
    while (line && sent.length < aheadFrames && waitingSamples > 0) {
      const frame = takeFrame()
      sent.push(frame)
      say('media', { media: { payload: Buffer.from(toMuLaw(frame)).toString('base64') } })
      if (waitingSamples > 0) continue
      marks += 1
      mark = { name: `m${marks}`, patience: markPatienceFrames }
      say('mark', { mark: { name: mark.name } })
    }
  }
  const soundMs = () => waitingSamples / 8 + sent.length * frameMs

  return {
    start: (streamSid: string, send: Send) => {
      line = { streamSid, send }
    },
    end: () => {
      line = null
    },
    write: (pcm: Int16Array) => {
      if (!line || pcm.length === 0) return
      waiting.push(pcm)
      waitingSamples += pcm.length
      mark = null
      sendAhead()
    },
    flush: (): number => {
      const ms = soundMs()
      if (ms > 0 || mark) say('clear')
      waiting = []
      waitingSamples = 0
      sent = []
      mark = null
      return ms
    },
    /** Never nothing while the last sound is not known to be heard. */
    queuedMs: () => soundMs() || (mark ? 1 : 0),
    marked: (name: string) => {
      if (mark?.name === name) mark = null
    },
    /** What was played in the 20 ms that have just passed. */
    tick: (): Int16Array | null => {
      sendAhead()
      const played = sent.shift() ?? null
      if (mark && sent.length === 0) mark.patience -= 1
      if (mark && mark.patience <= 0) mark = null
      return played
    },
  }
}
