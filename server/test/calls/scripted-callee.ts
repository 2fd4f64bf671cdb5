import type { CallLeg, Heard, LegEnd, LegEvent, Telephony } from '../../src/voice/ports.ts'

export type Script = {
  /** What the callee answers, one line per turn of the agent's. Then they hang up. */
  lines: string[]
  /** How the call ends when the lines are used up. */
  end?: LegEnd
  /** Words of the agent's in which the call ends. */
  endsAt?: RegExp
  /** Runs before a line is said. */
  onLine?(line: string): Promise<void>
}

/** A carrier whose callees answer at once and say what stands in the script. */
export function scriptedCarrier(scriptFor: (number: string) => Script): Telephony {
  return { dial: async ({ to }) => legOf(scriptFor(to)), close: async () => {} }
}

function legOf({ lines, end = { reason: 'hangup', by: 'callee' }, endsAt, onLine }: Script): CallLeg {
  const waiting = [...lines]
  let finish = (_end: LegEnd) => {}
  const ended = new Promise<LegEnd>((resolve) => {
    finish = resolve
  })
  let seconds = 0
  return {
    events: (async function* (): AsyncGenerator<LegEvent> {
      yield { type: 'answered' }
      yield { type: 'ended', end: await ended }
    })(),
    speech: {
      say: async (text) => {
        seconds += 3
        if (endsAt?.test(text)) {
          finish(end)
          return { heard: '', startedAt: seconds }
        }
        return { heard: text, startedAt: seconds }
      },
      listen: async (): Promise<Heard> => {
        const line = waiting.shift()
        if (line === undefined) {
          finish(end)
          return { type: 'gone' }
        }
        await onLine?.(line)
        seconds += 2
        return { type: 'speech', text: line, startedAt: seconds }
      },
      seconds: () => seconds,
    },
    hangup: async () => finish({ reason: 'hangup', by: 'agent' }),
  }
}
