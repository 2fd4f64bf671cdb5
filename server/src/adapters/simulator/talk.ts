import { createTurns } from '../../voice/in-turn.ts'
import type { Heard, Said, SpeechLink } from '../../voice/ports.ts'
import type { CallClock } from './call-clock.ts'
import { type Callee, speakingSeconds, wordsOf } from './callee.ts'
import { type Line, toMs } from './line.ts'

type TalkOptions = {
  clock: CallClock
  line: Line
  /** null before the answer and after the end. */
  callee: () => Callee | null
  /** Of the clock; null before the answer. */
  answeredMs: () => number | null
}

/** Speaks with a callee in words. An abort cuts the agent short; for whoever was listening, the line has gone. */
export function createTalk({ clock, line, callee, answeredMs }: TalkOptions): SpeechLink {
  const inTurn = createTurns()
  const secondsAt = (ms: number): number => (ms - (answeredMs() ?? ms)) / 1_000
  /** The agent's words since the callee's last answer. */
  let heard: string[] = []
  let language = ''

  const say = async (text: string, signal: AbortSignal): Promise<Said> => {
    const startedMs = clock.now()
    const startedAt = secondsAt(startedMs)
    const listener = callee()
    const seconds = speakingSeconds(text)
    if (listener === null || signal.aborted || seconds === 0) return { heard: '', startedAt }
    if (line.next() === undefined) line.plan(listener.overhear(text, seconds))
    const whole = await line.waitUntil(startedMs + toMs(seconds), signal)
    const part = whole ? text : firstPart(text, (clock.now() - startedMs) / toMs(seconds))
    heard.push(part)
    return { heard: part, startedAt }
  }

  const listen = async (silenceSeconds: number, signal: AbortSignal): Promise<Heard> => {
    const speaker = callee()
    if (speaker === null || signal.aborted) return { type: 'gone' }
    if (line.next() === undefined) {
      line.plan(speaker.answer(heard.join(' ').trim(), language))
      heard = []
    }
    const giveUpMs = clock.now() + toMs(silenceSeconds)
    const next = line.next()
    const audible = next !== undefined && next.startsMs <= giveUpMs ? next : undefined
    const reached = await line.waitUntil(audible?.endsMs ?? giveUpMs, signal)
    if (!reached || callee() === null) return { type: 'gone' }
    if (audible === undefined) return { type: 'silence' }
    line.done()
    if (audible.act.type !== 'say') return { type: 'beep' }
    return { type: 'speech', text: audible.act.text, startedAt: secondsAt(audible.startsMs) }
  }

  return {
    say: (text, spoken, signal) =>
      inTurn(() => {
        language = spoken
        return say(text, signal)
      }),
    listen: ({ silenceSeconds }, signal) => inTurn(() => listen(silenceSeconds, signal)),
    seconds: () => secondsAt(clock.now()),
  }
}

function firstPart(text: string, share: number): string {
  const words = wordsOf(text)
  return words.slice(0, Math.floor(words.length * share)).join(' ')
}
