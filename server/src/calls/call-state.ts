import type { CallStatus } from '@parley/contract/calls'

type Move = { from: readonly CallStatus[]; to: CallStatus }

/** The lifecycle (§3.1, decisions 3), all of it. A move is a compare-and-set; no row means "not allowed now". */
export const callMoves = {
  queue: { from: ['scheduled'], to: 'queued' },
  initiate: { from: ['queued'], to: 'initiated' },
  ring: { from: ['initiated'], to: 'ringing' },
  answer: { from: ['initiated', 'ringing'], to: 'in_progress' },
  complete: { from: ['in_progress'], to: 'completed' },
  fail: { from: ['queued', 'initiated', 'ringing', 'in_progress'], to: 'failed' },
  cancel: { from: ['scheduled', 'queued'], to: 'cancelled' },
  disallow: { from: ['scheduled', 'queued'], to: 'disallowed' },
} as const satisfies Record<string, Move>
