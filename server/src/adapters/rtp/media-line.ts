import { type AudioFrame, type AudioLink, frameSamples } from '../../voice/audio.ts'
import { createArrivals } from './arrivals.ts'
import { checkDigits, checkParameters, type MediaParameters } from './media-parameters.ts'
import type { ToWorker } from './messages.ts'
import { counterAt } from './play-queue.ts'
import type { MediaStats } from './session.ts'

/** One line's sound, as the main thread sees it. One reader each for frames and digits. */
export type MediaSession = AudioLink & {
  /** The port we listen on; RTCP is on the next. */
  readonly localPort: number
  /** What a new offer and answer have settled: hold, resume, another address, another key. */
  update(changes: Partial<MediaParameters>): void
  /** After the end: as it was at the end. */
  stats(): Promise<MediaStats | null>
  /** Says goodbye and gives the ports back. Safe to repeat. */
  close(): Promise<void>
}

/** What a line asks of its worker. */
export type LineWire = {
  post(message: ToWorker): void
  play(line: number, pcm: Int16Array): void
  /** Null when the worker has gone, or has no answer. */
  ask<Answer>(question: (number: number) => ToWorker): Promise<Answer | null>
}

/** What the worker's handle tells a line. */
export type LineEars = {
  /** A frame of what was heard at this place of a batch and, if `didPlay`, behind it one of what was played. */
  heard(batch: Int16Array, at: number, didPlay: boolean): void
  digit(key: string): void
  ended(stats: MediaStats | null): void
}

/** Half a minute; a reader that far behind has gone. */
const mostUnreadFrames = 1_500
const mostUnreadDigits = 200
const samplesPerMs = 8

export type LineOptions = {
  worker: LineWire
  line: number
  host: string
  port: number
  counters: Int32Array
  parameters: MediaParameters
}

export function createMediaLine(options: LineOptions): { session: MediaSession; ears: LineEars } {
  const { worker, line, counters } = options
  const frames = createArrivals<AudioFrame>(mostUnreadFrames)
  const digits = createArrivals<string>(mostUnreadDigits)
  let { parameters } = options
  let written = 0
  let last: MediaStats | null = null
  let isOver = false
  let isClosing = false
  let tellOver = () => {}
  const over = new Promise<void>((resolve) => {
    tellOver = resolve
  })

  /** Both counters go round; the later of the two is how far the line has come. */
  function leftSamples(): number {
    if (isOver) return 0
    const played = (written - Atomics.load(counters, counterAt.played)) | 0
    const flushed = (written - Atomics.load(counters, counterAt.flushed)) | 0
    return Math.max(0, Math.min(played, flushed))
  }
  const leftMs = () => Math.round(leftSamples() / samplesPerMs)

  function end(stats: MediaStats | null): void {
    isOver = true
    last = stats ?? last
    frames.end()
    digits.end()
    tellOver()
  }

  const session: MediaSession = {
    localPort: options.port,
    frames: frames.items,
    digits: digits.items,
    write(pcm) {
      if (isOver || isClosing || pcm.length === 0) return
      written = (written + pcm.length) | 0
      worker.play(line, pcm)
    },
    flush() {
      const dropped = leftMs()
      if (!isOver) Atomics.store(counters, counterAt.flushed, written)
      return dropped
    },
    queuedMs: leftMs,
    sendDigits(pressed) {
      checkDigits(pressed)
      if (!isOver && pressed !== '') worker.post({ type: 'press', line, digits: pressed })
    },
    update(changes) {
      const next = { ...parameters, ...changes }
      checkParameters(next, options.host)
      parameters = next
      if (!isOver) worker.post({ type: 'update', line, parameters })
    },
    async stats() {
      if (isOver) return last
      last = (await worker.ask<MediaStats>((question) => ({ type: 'stats', line, question }))) ?? last
      return last
    },
    close() {
      if (!isOver && !isClosing) worker.post({ type: 'close', line })
      isClosing = true
      frames.end()
      digits.end()
      return over
    },
  }
  const ears: LineEars = {
    heard(batch, at, didPlay) {
      const frame = (from: number) => {
        const end = from + frameSamples
        // Whoever waits gets it as it lies there. What has to wait is copied: it would keep the sound of all lines.
        return frames.isAwaited() ? batch.subarray(from, end) : batch.slice(from, end)
      }
      frames.push({ heard: frame(at), played: didPlay ? frame(at + frameSamples) : null })
    },
    digit: digits.push,
    ended: end,
  }
  return { session, ears }
}
