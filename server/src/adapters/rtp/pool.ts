import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MediaSession } from './media-line.ts'
import { checkParameters, MediaError, type OpenParameters } from './media-parameters.ts'
import { type MediaWorker, PortInUse, startMediaWorker } from './media-worker.ts'
import { createPortRange } from './port-range.ts'
import type { TickFigures } from './ticker.ts'
import { workerCode } from './worker-code.ts'

/** All sound of this node: worker threads, each with its lines, and a range of ports. */
export type MediaPool = {
  /** Takes a pair of ports in the worker with the fewest lines. */
  open(parameters: OpenParameters): Promise<MediaSession>
  /** Lines there is room for in all. */
  readonly capacity: number
  lines(): number
  /** How punctual each worker was since this was asked last. */
  load(): Promise<TickFigures[]>
  close(): Promise<void>
}
export type MediaPoolOptions = {
  /** The address to listen on. */
  host: string
  /** First and last port, e.g. `[16384, 32767]`. */
  ports: readonly [number, number]
  /** As many as there are cores when left out. */
  workers?: number
  linesPerWorker?: number
  /** The worker's program; ours when left out. */
  code?: string
  /** Told when a worker has ended by itself. */
  onWorkerDeath?(): void
}

export const mostLinesPerWorker = 200
/** A worker that dies as soon as it is started is not started in a loop. */
const restartPauseMs = 1_000

/** Lines there would be room for, known before anything is opened. */
export const mediaCapacity = ({ ports, workers, linesPerWorker }: Omit<MediaPoolOptions, 'host'>): number =>
  Math.min((workers ?? availableParallelism()) * (linesPerWorker ?? mostLinesPerWorker), createPortRange(ports).size)

export async function createMediaPool(options: MediaPoolOptions): Promise<MediaPool> {
  const { host, linesPerWorker = mostLinesPerWorker, workers: count = availableParallelism() } = options
  const code = options.code ?? (await workerCode())
  const ports = createPortRange(options.ports)
  const workers: MediaWorker[] = []
  const stop = new AbortController()

  function start(index: number): void {
    const startedAt = performance.now()
    workers[index] = startMediaWorker({
      code,
      host,
      mostLines: linesPerWorker,
      onPortFree: ports.giveBack,
      onDeath: () => void replace(index, performance.now() - startedAt),
    })
  }

  async function replace(index: number, livedMs: number): Promise<void> {
    if (stop.signal.aborted) return
    options.onWorkerDeath?.()
    const pause = livedMs < restartPauseMs ? sleep(restartPauseMs, null, { signal: stop.signal, ref: false }) : null
    await pause?.catch(() => {})
    if (!stop.signal.aborted) start(index)
  }

  const leastBusy = () =>
    workers
      .filter((each) => each.hasRoom())
      .reduce<MediaWorker | null>((least, each) => (least && least.lines() <= each.lines() ? least : each), null)
  const lines = () => workers.reduce((sum, each) => sum + each.lines(), 0)

  for (let index = 0; index < count; index += 1) start(index)
  return {
    capacity: mediaCapacity(options),
    lines,
    async open(parameters) {
      checkParameters(parameters, host)
      for (let tries = 0; tries < ports.size; tries += 1) {
        if (stop.signal.aborted) throw new MediaError('closed', 'The media pool is closed.')
        const worker = leastBusy()
        if (worker === null) throw new MediaError('no_capacity', `There is no room for more than ${lines()} lines.`)
        const port = ports.take()
        if (port === null) break
        try {
          return await worker.open(port, parameters)
        } catch (error) {
          if (!(error instanceof PortInUse)) throw error
        }
      }
      throw new MediaError('no_port', `No pair of ports is free from ${options.ports.join(' to ')}.`)
    },
    load: async () => (await Promise.all(workers.map((each) => each.load()))).filter((each) => each !== null),
    async close() {
      stop.abort()
      await Promise.all(workers.map((each) => each.close()))
    },
  }
}
