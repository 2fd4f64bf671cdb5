import type { MediaParameters, OpenParameters } from './media-parameters.ts'
import type { MediaStats } from './session.ts'
import type { TickFigures } from './ticker.ts'

/** What main thread and media worker say to each other. A line's number is never used twice. */
export type ToWorker =
  | { type: 'open'; line: number; slot: number; port: number; parameters: OpenParameters }
  | { type: 'update'; line: number; parameters: MediaParameters }
  | { type: 'play'; batch: PlayBatch }
  | { type: 'press'; line: number; digits: string }
  | { type: 'stats'; line: number; question: number }
  | { type: 'load'; question: number }
  | { type: 'close'; line: number }

/** Sound for several lines in one piece of memory: `lines` is number and length, by turns. */
export type PlayBatch = { lines: Int32Array<ArrayBuffer>; samples: Int16Array<ArrayBuffer> }

export type FromWorker =
  | { type: 'frames'; batch: FrameBatch }
  | { type: 'opened'; line: number }
  | { type: 'failed'; line: number; code: string; message: string }
  | { type: 'answer'; question: number; answer: MediaStats | TickFigures | null }
  | { type: 'closed'; line: number; stats: MediaStats | null }

/** All frames of one turn: line numbers, for each what was heard, and for those with `played` what was played. */
export type FrameBatch = {
  lines: Int32Array<ArrayBuffer>
  played: Uint8Array<ArrayBuffer>
  samples: Int16Array<ArrayBuffer>
  digits: { line: number; key: string }[]
}

export type WorkerData = { host: string; counters: Int32Array<SharedArrayBuffer> }
