// Placing many calls: a few at a time, at the pace the server allows, to be paused, stopped and repeated without harm.
import { ApiFailure } from '../../api-failure.ts'
import { explain } from '../../explain.ts'
import type { CallRow } from './rows.ts'

export type Outcome =
  | { kind: 'placed'; callId: string; replayed: boolean }
  | { kind: 'refused'; message: string; requestId: string | undefined }
export interface Sent {
  row: CallRow
  outcome: Outcome
}
export type RunState = 'running' | 'paused' | 'stopped' | 'done'
export interface Progress {
  state: RunState
  sent: readonly Sent[]
  /** Until when the server asked us to wait, in ms since 1970. */
  waitingUntil: number | null
}

export interface RunDeps {
  send: (row: CallRow) => Promise<{ callId: string; replayed: boolean }>
  sleep: (ms: number) => Promise<void>
  now: () => number
  atOnce?: number
}

export interface Run {
  get: () => Progress
  subscribe: (listener: () => void) => () => void
  pause: () => void
  resume: () => void
  stop: () => void
  finished: Promise<void>
}

const tries = 5
const lookMs = 200

export function startRun(rows: readonly CallRow[], { send, sleep, now, atOnce = 4 }: RunDeps): Run {
  const waiting = [...rows]
  const listeners = new Set<() => void>()
  let progress: Progress = { state: 'running', sent: [], waitingUntil: null }
  const set = (change: Partial<Progress>) => {
    progress = { ...progress, ...change }
    for (const listener of listeners) listener()
  }
  const isStopped = () => progress.state === 'stopped'

  /** Until nobody asks to wait any more; false when the run was stopped meanwhile. */
  const mayGoOn = async (): Promise<boolean> => {
    while (progress.state === 'paused' || (progress.waitingUntil !== null && progress.waitingUntil > now())) {
      await sleep(lookMs)
    }
    if (progress.waitingUntil !== null) set({ waitingUntil: null })
    return !isStopped()
  }

  /** Repeating is safe: each row has a key of its own. null when the run was stopped before it was sent. */
  const place = async (row: CallRow): Promise<Outcome | null> => {
    for (let attempt = 1; ; ) {
      if (!(await mayGoOn())) return null
      try {
        return { kind: 'placed', ...(await send(row)) }
      } catch (failure) {
        const facts = failure instanceof ApiFailure ? failure.facts : null
        if (facts?.status === 429 || facts?.status === 503) {
          set({ waitingUntil: now() + (facts.retryAfterSeconds ?? 1) * 1000 })
          continue
        }
        if (facts?.status === 401) {
          set({ state: 'stopped' })
          return null
        }
        const mayPass = facts !== null && (facts.status === 0 || facts.status >= 500)
        if (!mayPass || attempt >= tries) return refusalOf(failure)
        await sleep(1000 * 2 ** (attempt - 1))
        attempt += 1
      }
    }
  }

  const work = async () => {
    while (waiting.length > 0 && (await mayGoOn())) {
      const row = waiting.shift()
      const outcome = row && (await place(row))
      if (row && outcome) set({ sent: [...progress.sent, { row, outcome }] })
    }
  }
  const finished = Promise.all(Array.from({ length: atOnce }, work)).then(() => {
    if (!isStopped()) set({ state: 'done' })
  })

  return {
    get: () => progress,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    pause: () => progress.state === 'running' && set({ state: 'paused' }),
    resume: () => progress.state === 'paused' && set({ state: 'running' }),
    stop: () => (progress.state === 'running' || progress.state === 'paused') && set({ state: 'stopped' }),
    finished,
  }
}

function refusalOf(failure: unknown): Outcome {
  const details = failure instanceof ApiFailure ? failure.facts.details.map((each) => each.message) : []
  const { text, requestId } = explain(failure)
  return { kind: 'refused', message: details.length > 0 ? details.join(' ') : text, requestId }
}
