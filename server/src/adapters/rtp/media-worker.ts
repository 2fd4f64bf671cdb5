import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { frameSamples } from '../../voice/audio.ts'
import { createMediaLine, type LineEars, type LineWire, type MediaSession } from './media-line.ts'
import { MediaError, type OpenParameters } from './media-parameters.ts'
import type { FrameBatch, FromWorker, ToWorker, WorkerData } from './messages.ts'
import { counterAt, countersPerLine } from './play-queue.ts'
import { createPlaySender } from './play-sender.ts'
import type { TickFigures } from './ticker.ts'

/** The main thread's handle on one media worker. */
export type MediaWorker = {
  /** Only while there is room. The port is given back when the line has ended, or could not be opened. */
  open(port: number, parameters: OpenParameters): Promise<MediaSession>
  load(): Promise<TickFigures | null>
  lines(): number
  hasRoom(): boolean
  /** Ends its lines, then itself. */
  close(): Promise<void>
}
export type WorkerOptions = {
  code: string
  host: string
  mostLines: number
  onPortFree(port: number): void
  /** It has ended without being told to; its lines have ended with it. */
  onDeath(): void
}
type Known = { ears: LineEars; session: MediaSession; slot: number; port: number }
type Opening = { resolve(): void; reject(error: Error): void }

/** The bind error that another port may not have. */
export class PortInUse extends Error {
  override readonly name = 'PortInUse'
}

/** How long a worker that is told to end has for its goodbyes. */
const goodbyeMs = 500
let lastLine = 0

export function startMediaWorker({ code, host, mostLines, onPortFree, onDeath }: WorkerOptions): MediaWorker {
  const counters = new Int32Array(new SharedArrayBuffer(4 * countersPerLine * mostLines))
  const slots = Array.from({ length: mostLines }, (_, index) => mostLines - 1 - index)
  const known = new Map<number, Known>()
  const openings = new Map<number, Opening>()
  const questions = new Map<number, (answer: unknown) => void>()
  let lastQuestion = 0
  let isDead = false
  const workerData: WorkerData = { host, counters }
  const worker = new Worker(code, { eval: true, workerData, execArgv: [], name: 'parley-media' })
  worker.unref()

  const post = (message: ToWorker, transfer: ArrayBuffer[] = []) => {
    if (!isDead) worker.postMessage(message, transfer)
  }

  function deliver({ lines, played, samples, digits }: FrameBatch): void {
    let at = 0
    for (let i = 0; i < lines.length; i += 1) {
      const didPlay = played[i] === 1
      known.get(lines[i] as number)?.ears.heard(samples, at, didPlay)
      at += didPlay ? 2 * frameSamples : frameSamples
    }
    for (const { line, key } of digits) known.get(line)?.ears.digit(key)
  }

  function forget(line: number): Known | undefined {
    const gone = known.get(line)
    known.delete(line)
    if (gone) {
      slots.push(gone.slot)
      onPortFree(gone.port)
    }
    return gone
  }

  function onMessage(message: FromWorker): void {
    if (message.type === 'frames') deliver(message.batch)
    else if (message.type === 'answer') {
      questions.get(message.question)?.(message.answer)
      questions.delete(message.question)
    } else if (message.type === 'closed') forget(message.line)?.ears.ended(message.stats)
    else {
      const opening = openings.get(message.line)
      openings.delete(message.line)
      if (message.type === 'opened') opening?.resolve()
      else opening?.reject(bindError(message))
    }
  }

  function onEnd(): void {
    if (isDead) return
    isDead = true
    for (const { reject } of openings.values()) reject(new MediaError('line_gone', 'The media worker ended.'))
    openings.clear()
    for (const line of [...known.keys()]) forget(line)?.ears.ended(null)
    for (const answer of questions.values()) answer(null)
    questions.clear()
    onDeath()
  }

  worker.on('message', onMessage)
  // An error nobody listens to would end the process; `exit` comes after it.
  worker.on('error', () => {})
  worker.on('exit', onEnd)

  function ask<Answer>(question: (number: number) => ToWorker): Promise<Answer | null> {
    if (isDead) return Promise.resolve(null)
    lastQuestion += 1
    const number = lastQuestion
    return new Promise((resolve) => {
      questions.set(number, (answer) => resolve(answer as Answer | null))
      post(question(number))
    })
  }

  const wire: LineWire = {
    post,
    play: createPlaySender((batch) => post({ type: 'play', batch }, [batch.lines.buffer, batch.samples.buffer])),
    ask,
  }

  async function open(port: number, parameters: OpenParameters): Promise<MediaSession> {
    const slot = slots.pop() ?? 0
    lastLine += 1
    const line = lastLine
    const own = counters.subarray(slot * countersPerLine, (slot + 1) * countersPerLine)
    Atomics.store(own, counterAt.played, 0)
    Atomics.store(own, counterAt.flushed, 0)
    const { jitter: _jitter, ...rest } = parameters
    const { session, ears } = createMediaLine({ worker: wire, line, host, port, counters: own, parameters: rest })
    // Known from the start: the first frames may come in the same turn as the news that it is open.
    known.set(line, { ears, session, slot, port })
    try {
      await new Promise<void>((resolve, reject) => {
        openings.set(line, { resolve, reject })
        post({ type: 'open', line, slot, port, parameters })
      })
    } catch (error) {
      forget(line)
      throw error
    }
    return session
  }

  return {
    open,
    load: () => ask<TickFigures>((question) => ({ type: 'load', question })),
    lines: () => known.size,
    hasRoom: () => !isDead && slots.length > 0,
    async close() {
      const lines = [...known.values()].map(({ session }) => session.close())
      await Promise.race([Promise.all(lines), sleep(goodbyeMs, null, { ref: false })])
      await worker.terminate()
    },
  }
}

function bindError({ code, message }: { code: string; message: string }): Error {
  if (code === 'EADDRINUSE') return new PortInUse(message)
  return new MediaError('no_port', `A port for sound cannot be opened: ${message}.`)
}
