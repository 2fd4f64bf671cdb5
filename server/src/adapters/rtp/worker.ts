import { parentPort, workerData } from 'node:worker_threads'
import { frameMs } from '../../voice/audio.ts'
import { createFrameCollector } from './frame-collector.ts'
import { bindLineSocket, type LineSocket } from './line-socket.ts'
import type { FromWorker, ToWorker, WorkerData } from './messages.ts'
import { countersPerLine } from './play-queue.ts'
import { createSession, type Session } from './session.ts'
import { startTicker } from './ticker.ts'

/** The media worker: sockets, sessions, one ticker. A program of its own; see worker-code.ts. */
type Line = { session: Session; sockets: LineSocket[] }
const { host, counters } = workerData as WorkerData
const lines = new Map<number, Line>()
const collector = createFrameCollector()
const now = () => performance.now()
const epochMsOf = (nowMs: number) => performance.timeOrigin + nowMs
const tell = (message: FromWorker, transfer: ArrayBuffer[] = []) => parentPort?.postMessage(message, transfer)

async function bindPair(port: number): Promise<[LineSocket, LineSocket]> {
  const rtp = await bindLineSocket(host, port)
  try {
    return [rtp, await bindLineSocket(host, port + 1)]
  } catch (error) {
    rtp.close()
    throw error
  }
}

async function open({ line, slot, port, parameters }: Extract<ToWorker, { type: 'open' }>): Promise<void> {
  const [rtp, rtcp] = await bindPair(port)
  const own = counters.subarray(slot * countersPerLine, (slot + 1) * countersPerLine)
  const session = createSession(parameters, own, {
    sendRtp: rtp.send,
    sendRtcp: rtcp.send,
    tie: rtp.tie,
    onDigit: (key) => collector.digit(line, key),
    epochMsOf,
    nowMs: now,
  })
  rtp.onMessage((data, from) => session.receive(data, from, now()))
  rtcp.onMessage((data, from) => session.receiveRtcp(data, from))
  lines.set(line, { session, sockets: [rtp, rtcp] })
  tell({ type: 'opened', line })
}

function close(line: number): void {
  const known = lines.get(line)
  lines.delete(line)
  known?.session.goodbye(now())
  for (const socket of known?.sockets ?? []) socket.close()
  tell({ type: 'closed', line, stats: known?.session.stats(now()) ?? null })
}

function play({ lines: numbers, samples }: Extract<ToWorker, { type: 'play' }>['batch']): void {
  let at = 0
  for (let i = 0; i < numbers.length; i += 2) {
    const length = numbers[i + 1] as number
    lines.get(numbers[i] as number)?.session.add(samples.subarray(at, at + length))
    at += length
  }
}

const ticker = startTicker({
  intervalMs: frameMs,
  now,
  onTick(dueMs) {
    const { heard, played } = collector
    for (const [line, { session }] of lines) {
      const { live, didPlay } = session.tick(dueMs, heard, played)
      if (live) collector.keep(line, didPlay)
    }
  },
  onTurn() {
    const batch = collector.handOver()
    if (batch) tell({ type: 'frames', batch }, [batch.lines.buffer, batch.played.buffer, batch.samples.buffer])
  },
})

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'open') {
    open(message).catch(({ code = '', message: words }: NodeJS.ErrnoException) =>
      tell({ type: 'failed', line: message.line, code, message: words }),
    )
  } else if (message.type === 'play') play(message.batch)
  else if (message.type === 'load') tell({ type: 'answer', question: message.question, answer: ticker.figures() })
  else if (message.type === 'close') close(message.line)
  else {
    const session = lines.get(message.line)?.session
    if (message.type === 'update') session?.update(message.parameters)
    else if (message.type === 'press') session?.press(message.digits)
    else tell({ type: 'answer', question: message.question, answer: session?.stats(now()) ?? null })
  }
})
