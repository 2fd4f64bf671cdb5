import type { SpeechToText, Transcript } from './ports.ts'

/** What was heard shortly before a stretch was noticed belongs to it: first sounds are soft. */
const preRollFrames = 15
/** A recogniser that does not come back is left behind. */
const longestWaitMs = 15_000
const mostFailuresInARow = 3

export class RecognitionFailed extends Error {
  override readonly name = 'RecognitionFailed'
}

type RecognitionOptions = {
  stt: SpeechToText
  language: () => string
  onWords(stretch: number, transcript: Transcript): void
  /** It failed so often that nothing will be understood any more. */
  onFailure: (error: RecognitionFailed) => void
  signal: AbortSignal
}

/** Feeds each stretch of the callee's speech to the recogniser. What cannot be recognised counts as no words. */
export function createRecognition({ stt, language, onWords, onFailure, signal }: RecognitionOptions) {
  let recent: Int16Array[] = []
  const open = new Map<number, FrameQueue>()
  let failures = 0

  const follow = async (stretch: number, frames: FrameQueue) => {
    let text = ''
    const done = new AbortController()
    const limit = AbortSignal.any([signal, done.signal])
    try {
      const transcripts = stt.transcribe(frames.read(), language(), limit)
      const following = (async () => {
        for await (const transcript of transcripts) {
          text = transcript.text
          if (!done.signal.aborted && !transcript.final) onWords(stretch, transcript)
        }
      })()
      following.catch(() => {})
      await Promise.race([following, frames.closed.then(() => timeUp(longestWaitMs, limit))])
      failures = 0
    } catch (error) {
      failures += 1
      if (failures >= mostFailuresInARow && !signal.aborted)
        onFailure(new RecognitionFailed('What the callee says cannot be recognised.', { cause: error }))
    } finally {
      done.abort()
      open.delete(stretch)
      frames.close()
    }
    if (!signal.aborted) onWords(stretch, { text, final: true })
  }

  return {
    hear: (frame: Int16Array) => {
      for (const frames of open.values()) frames.add(frame)
      recent.push(frame)
      if (recent.length > 2 * preRollFrames) recent = recent.slice(-preRollFrames)
    },
    open: (stretch: number) => {
      const frames = createFrameQueue(recent.slice(-preRollFrames))
      open.set(stretch, frames)
      void follow(stretch, frames)
    },
    close: (stretch: number) => open.get(stretch)?.close(),
  }
}

function timeUp(ms: number, signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The recogniser took too long.')), ms)
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  })
}

type FrameQueue = ReturnType<typeof createFrameQueue>

function createFrameQueue(first: Int16Array[]) {
  const queue = [...first]
  let ended = false
  let wake = () => {}
  let noteEnd = () => {}
  const closed = new Promise<void>((resolve) => {
    noteEnd = resolve
  })
  async function* read(): AsyncGenerator<Int16Array> {
    for (;;) {
      const frame = queue.shift()
      if (frame) yield frame
      else if (ended) return
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  }
  return {
    read,
    closed,
    add: (frame: Int16Array) => {
      if (ended) return
      // A frame may lie in memory that many lines share; this one may be needed until the recogniser has an answer.
      queue.push(new Int16Array(frame))
      wake()
    },
    close: () => {
      ended = true
      noteEnd()
      wake()
    },
  }
}
