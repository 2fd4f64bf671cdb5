import { type AudioFrame, type AudioLink, frameMs, frameSamples } from '../../voice/audio.ts'
import { fromMuLaw, toMuLaw } from '../../voice/mu-law.ts'
import { createChannel } from './channel.ts'
import { dtmfSound } from './dtmf.ts'

/** Sent ahead of time, so that a late tick is not heard; so little that a flush still sounds like one. */
const aheadFrames = 5
/** Sound that came in a burst is given out frame by frame; more than this is dropped, or the talk would lag behind. */
const mostWaitingFrames = 25
/** Frames come unevenly: so many are kept back, so that one that is a little late is still in time. */
const jitterFrames = 3
/** A confirmation that does not come is not waited for. */
const markPatienceFrames = 50

export type MediaStream = ReturnType<typeof createMediaStream>
type Send = (message: object) => void

/**
 * The line's sound over a media stream. Its time is a tick of 20 ms of our own: Twilio's frames come in bursts and not at
 * all when the network stands still. What is played is sent in step with it, and a mark tells when the last was heard.
 */
export function createMediaStream() {
  const frames = createChannel<AudioFrame>()
  const digits = createChannel<string>()
  let send: Send | null = null
  let streamSid = ''
  let timer: NodeJS.Timeout | undefined
  let ticks = 0
  let startedAt = 0
  let heard: Int16Array[] = []
  let buffering = true
  let toPlay: Int16Array[] = []
  let toPlaySamples = 0
  /** Sent, and not played yet as far as we can tell. */
  let sent: Int16Array[] = []
  let marks = 0
  let markAwaited: { name: string; left: number } | null = null

  const sendSound = () => {
    while (send && sent.length < aheadFrames && toPlaySamples > 0) {
      const frame = takeFrame()
      sent.push(frame)
      const payload = Buffer.from(toMuLaw(frame)).toString('base64')
      send({ event: 'media', streamSid, media: { payload } })
      if (toPlaySamples > 0) continue
      marks += 1
      markAwaited = { name: `m${marks}`, left: markPatienceFrames }
      send({ event: 'mark', streamSid, mark: { name: markAwaited.name } })
    }
  }
  const takeFrame = (): Int16Array => {
    const frame = new Int16Array(frameSamples)
    for (let at = 0; at < frameSamples && toPlay.length > 0; ) {
      const [first] = toPlay as [Int16Array]
      const part = first.subarray(0, frameSamples - at)
      frame.set(part, at)
      at += part.length
      toPlaySamples -= part.length
      if (part.length === first.length) toPlay.shift()
      else toPlay[0] = first.subarray(part.length)
    }
    return frame
  }
  const tick = () => {
    sendSound()
    const played = sent.shift() ?? null
    if (markAwaited && sent.length === 0) {
      markAwaited.left -= 1
      if (markAwaited.left <= 0) markAwaited = null
    }
    frames.add({ heard: nextHeard(), played })
  }
  const nextHeard = (): Int16Array => {
    if (heard.length >= jitterFrames) buffering = false
    if (heard.length === 0) buffering = true
    return (buffering ? undefined : heard.shift()) ?? new Int16Array(frameSamples)
  }
  /** Timers come late, never early: every tick makes up for those before it. */
  const catchUp = () => {
    for (const due = (performance.now() - startedAt) / frameMs; ticks < due; ticks += 1) tick()
  }

  const audio: AudioLink = {
    frames: frames.read(),
    digits: digits.read(),
    write: (pcm) => {
      if (!send || pcm.length === 0) return
      toPlay.push(pcm)
      toPlaySamples += pcm.length
      markAwaited = null
      sendSound()
    },
    flush: () => {
      const ms = toPlaySamples / 8 + sent.length * frameMs
      const wasBusy = ms > 0 || markAwaited !== null
      toPlay = []
      toPlaySamples = 0
      sent = []
      markAwaited = null
      if (wasBusy) send?.({ event: 'clear', streamSid })
      return ms
    },
    queuedMs: () => {
      const ms = toPlaySamples / 8 + sent.length * frameMs
      return ms === 0 && markAwaited ? 1 : ms
    },
    // A media stream carries no keys but as their tones.
    sendDigits: (keys) => audio.write(dtmfSound(keys)),
  }
  return {
    audio,
    start: (sid: string, sender: Send) => {
      streamSid = sid
      send = sender
      startedAt = performance.now()
      timer = setInterval(catchUp, frameMs)
    },
    hear: (payload: string) => {
      const sound = fromMuLaw(Buffer.from(payload, 'base64'))
      for (let at = 0; at + frameSamples <= sound.length; at += frameSamples)
        heard.push(sound.subarray(at, at + frameSamples))
      if (heard.length > mostWaitingFrames) heard = heard.slice(-mostWaitingFrames / 5)
    },
    press: (key: string) => {
      if (/^[0-9*#A-D]$/.test(key)) digits.add(key)
    },
    marked: (name: string) => {
      if (markAwaited?.name === name) markAwaited = null
    },
    end: () => {
      clearInterval(timer)
      send = null
      frames.close()
      digits.close()
    },
  }
}
