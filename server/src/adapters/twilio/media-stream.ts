import { type AudioFrame, type AudioLink, frameMs } from '../../voice/audio.ts'
import { createChannel } from './channel.ts'
import { dtmfSound } from './dtmf.ts'
import { createIncoming } from './incoming.ts'
import { createOutgoing, type Send } from './outgoing.ts'
import type { StreamMessage } from './stream-message.ts'

export type MediaStream = ReturnType<typeof createMediaStream>

/**
 * The line's sound over a media stream. Its time is a tick of 20 ms of our own: Twilio's frames come in bursts, and not at
 * all when the network stands still.
 */
export function createMediaStream() {
  const frames = createChannel<AudioFrame>()
  const digits = createChannel<string>()
  const incoming = createIncoming()
  const outgoing = createOutgoing()
  let timer: NodeJS.Timeout | undefined

  const audio: AudioLink = {
    frames: frames.read(),
    digits: digits.read(),
    write: outgoing.write,
    flush: outgoing.flush,
    queuedMs: outgoing.queuedMs,
    // A media stream carries no keys but as their tones.
    sendDigits: (keys) => outgoing.write(dtmfSound(keys)),
  }
  return {
    audio,
    start: (streamSid: string, send: Send) => {
      outgoing.start(streamSid, send)
      const startedAt = performance.now()
      let ticks = 0
      // Timers come late, never early: every one makes up for those before it.
      timer = setInterval(() => {
        for (const due = (performance.now() - startedAt) / frameMs; ticks < due; ticks += 1)
          frames.add({ played: outgoing.tick(), heard: incoming.next() })
      }, frameMs)
    },
    take: (message: StreamMessage) => {
      if (message.event === 'media') incoming.hear(message.payload)
      if (message.event === 'mark') outgoing.marked(message.name)
      if (message.event === 'dtmf' && /^[0-9*#A-D]$/.test(message.digit)) digits.add(message.digit)
    },
    end: () => {
      clearInterval(timer)
      outgoing.end()
      frames.close()
      digits.close()
    },
  }
}
