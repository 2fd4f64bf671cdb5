import { type Header, headerOf, lists, type ReceivedMessage } from './message.ts'
import type { Timing } from './timing.ts'

/** RFC 4028: a call whose other side has vanished ends by itself. */
export type SessionTimer = { arm(interval: Interval | null): void; stop(): void }
export type Interval = { seconds: number; weRefresh: boolean }

/** Node's timers go no further (24 days); beyond, they would fire at once. */
const longestMs = 2 ** 31 - 1
/** No call lasts longer, so nobody needs to be believed for longer. */
export const mostSeconds = 86_400

export function createSessionTimer(on: { refresh(): void; expire(): void }): SessionTimer {
  let timers: NodeJS.Timeout[] = []
  const stop = () => {
    for (const timer of timers) clearTimeout(timer)
    timers = []
  }
  return {
    stop,
    arm: (interval) => {
      stop()
      if (!interval) return
      const ms = Math.min(interval.seconds * 1_000, longestMs)
      if (interval.weRefresh) {
        // At half time; once more at three quarters should the first have failed.
        timers = [setTimeout(on.refresh, ms / 2), setTimeout(on.refresh, (ms * 3) / 4), setTimeout(on.expire, ms)]
      } else timers = [setTimeout(on.expire, ms - Math.min(32_000, ms / 3))]
    },
  }
}

export function parseSessionExpires(message: ReceivedMessage): { seconds: number; refresher: string | null } | null {
  const match = /^(\d+)\s*(?:;.*?\brefresher\s*=\s*(uac|uas)\b)?/i.exec(headerOf(message, 'session-expires') ?? '')
  return match ? { seconds: Math.min(Number(match[1]), 2 ** 32 - 1), refresher: match[2]?.toLowerCase() ?? null } : null
}

/** The shortest interval the other side takes: of a request, or of a 422. */
export function leastOf(message: ReceivedMessage): number | null {
  const digits = /^\d{1,10}/.exec(headerOf(message, 'min-se') ?? '')?.[0]
  return digits ? Number(digits) : null
}

/** What a 2xx to a request of ours says. */
export function intervalOfAnswer(message: ReceivedMessage): Interval | null {
  const agreed = parseSessionExpires(message)
  // A nonsensical interval would end the call, or flood the other side.
  if (!agreed || agreed.seconds < 1) return null
  return { seconds: agreed.seconds, weRefresh: agreed.refresher !== 'uas' }
}

export type Granted = { interval: Interval | null; headers: Header[] } | { tooShort: Header[] }

/** What we answer to a request of theirs: they refresh when they can, we otherwise. */
export function grantInterval(message: ReceivedMessage, timing: Timing): Granted {
  const wish = parseSessionExpires(message)
  if (!wish) return { interval: null, headers: [] }
  // Shorter than they asked for is allowed, shorter than the least they take is not (RFC 4028 §9).
  const seconds = Math.min(wish.seconds, Math.max(mostSeconds, leastOf(message) ?? 0))
  const canTimer = lists(message, 'supported', 'timer')
  if (wish.seconds < timing.minSessionSeconds) {
    return { tooShort: [['min-se', String(timing.minSessionSeconds)]] }
  }
  const refresher = canTimer ? (wish.refresher ?? 'uac') : 'uas'
  const headers: Header[] = [
    ['session-expires', `${seconds};refresher=${refresher}`],
    ...(refresher === 'uac' ? [['require', 'timer'] as const] : []),
  ]
  return { interval: { seconds, weRefresh: refresher === 'uas' }, headers }
}
