import { isBackChannel } from './back-channels.ts'
import { longestTurnMs, pauseNeededMs } from './endpointing.ts'
import { answerOverlapMs, falseInterruptionMs, hasWords, takesTheFloor } from './interruption.ts'
import { type Keys, keysAreDone, pressKey, spokenKeys } from './keys.ts'
import { type Activity, hearFrame, quiet } from './speech-activity.ts'

/**
 * Whose turn it is, as a pure state machine: it is told of every frame, of recognised words and of pressed keys, and
 * answers with what is to be done. Time is the count of frames, so the same call gives the same log every time.
 */
export type TurnState = {
  activity: Activity
  agent: 'silent' | 'speaking' | 'halted'
  haltedMs: number
  /** Sayings begun so far: the first one is the greeting. */
  sayings: number
  language: string
  stretches: number
  /** Stretches whose words are still awaited, with what is understood so far. */
  awaited: readonly { stretch: number; voicedMs: number; text: string }[]
  /** What the callee has said in this turn. */
  said: readonly string[]
  startedMs: number | null
  lastVoicedMs: number
  /** What the agent still had to say when the callee last made a sound. */
  leftWhenVoicedMs: number
  keys: Keys | null
}
export type TurnInput =
  /** `agentLeftMs`: what the agent still has to say; infinite while nobody knows. */
  | { type: 'frame'; voiced: boolean; agentLeftMs: number }
  | { type: 'words'; stretch: number; text: string; final: boolean }
  | { type: 'key'; key: string }
  /** A machine's tone: what it said before is over and done with. */
  | { type: 'tone' }
  | { type: 'speak'; language: string }
  | { type: 'spoken' }
export type TurnAction =
  | { type: 'open'; stretch: number; startedMs: number }
  | { type: 'close'; stretch: number }
  /** Be quiet at once, and be ready to go on. */
  | { type: 'halt' }
  | { type: 'resume' }
  /** The callee has the floor: what was being said stays unsaid. */
  | { type: 'yield' }
  /** The callee has finished. `pauseMs` is the pause that was waited for. */
  | { type: 'turn'; text: string; startedMs: number; endedMs: number; pauseMs: number }

export const firstTurn: TurnState = {
  activity: quiet,
  agent: 'silent',
  haltedMs: 0,
  sayings: 0,
  language: 'en',
  stretches: 0,
  awaited: [],
  said: [],
  startedMs: null,
  lastVoicedMs: 0,
  leftWhenVoicedMs: 0,
  keys: null,
}

type Step = [TurnState, TurnAction[]]

export function takeInput(state: TurnState, input: TurnInput): Step {
  switch (input.type) {
    case 'frame':
      return hear(state, input.voiced, input.agentLeftMs)
    case 'words':
      return understand(state, input.stretch, input.text, input.final)
    case 'key': {
      const keys = pressKey(state.keys, input.key, state.activity.nowMs)
      return giveFloor({ ...state, keys })
    }
    case 'tone':
      return [{ ...state, awaited: [], said: [], startedMs: null }, []]
    case 'speak':
      return [{ ...state, agent: 'speaking', sayings: state.sayings + 1, language: input.language }, []]
    case 'spoken':
      return [{ ...state, agent: 'silent' }, []]
  }
}

function hear(before: TurnState, voiced: boolean, agentLeftMs: number): Step {
  const [activity, change] = hearFrame(before.activity, voiced, before.stretches + 1)
  const actions: TurnAction[] = []
  let state = { ...before, activity }
  const stretch = activity.stretch ?? change.closed
  if (change.opened) {
    const { number, startedMs, voicedMs } = change.opened
    const awaited = [...state.awaited, { stretch: number, voicedMs, text: '' }]
    state = { ...state, stretches: number, awaited, startedMs: state.startedMs ?? startedMs }
    actions.push({ type: 'open', stretch: number, startedMs })
  }
  if (stretch) {
    const { number, voicedMs, lastVoicedMs } = stretch
    const awaited = state.awaited.map((each) => (each.stretch === number ? { ...each, voicedMs } : each))
    const leftWhenVoicedMs = lastVoicedMs === activity.nowMs ? agentLeftMs : state.leftWhenVoicedMs
    state = { ...state, awaited, lastVoicedMs, leftWhenVoicedMs }
  }
  if (change.closed) actions.push({ type: 'close', stretch: change.closed.number })
  const [decided, more] = decide(state)
  return [decided, [...actions, ...more]]
}

function understand(state: TurnState, stretch: number, text: string, final: boolean): Step {
  const known = state.awaited.find((each) => each.stretch === stretch)
  if (!known) return [state, []]
  if (!final) {
    const awaited = state.awaited.map((each) => (each.stretch === stretch ? { ...each, text } : each))
    return decide({ ...state, awaited })
  }
  const awaited = state.awaited.filter((each) => each.stretch !== stretch)
  const heard = { ...state, awaited }
  if (!hasWords(text)) return decide(heard)
  const overlapped = state.agent !== 'silent'
  const answers = state.leftWhenVoicedMs <= answerOverlapMs
  const goOn = isBackChannel(text, state.language, { greeting: state.sayings === 1 })
  // The listener's "go on" is over as soon as it is understood, and the agent goes on indeed.
  if (overlapped && goOn && !answers) return decide({ ...heard, haltedMs: Number.NEGATIVE_INFINITY })
  const kept = { ...heard, said: [...heard.said, text.trim()] }
  const stops = state.agent === 'halted' || takesTheFloor({ ...known, text, ...mannersOf(state) })
  return overlapped && stops && !answers ? giveFloor(kept) : decide(kept)
}

const mannersOf = ({ language, sayings }: TurnState) => ({ language, greeting: sayings === 1 })

function giveFloor(state: TurnState): Step {
  if (state.agent === 'silent') return decide(state)
  const [decided, actions] = decide({ ...state, agent: 'silent' })
  return [decided, [{ type: 'yield' }, ...actions]]
}

/** What follows from how things stand now. */
function decide(state: TurnState): Step {
  if (state.agent === 'speaking') return judgeOverlap(state)
  if (state.agent === 'halted') return judgeHalt(state)
  return judgeEnd(state)
}

function judgeOverlap(state: TurnState): Step {
  const stops = state.awaited.some((each) => takesTheFloor({ ...each, ...mannersOf(state) }))
  if (!stops) return [forgetNothings(state), []]
  return [{ ...state, agent: 'halted', haltedMs: state.activity.nowMs }, [{ type: 'halt' }]]
}

function judgeHalt(state: TurnState): Step {
  const worded = state.awaited.some(({ text }) => hasWords(text) && !isBackChannel(text, state.language))
  if (worded || state.said.length > 0) return giveFloor(state)
  const undecided = state.awaited.length > 0 || state.activity.nowMs - state.haltedMs < falseInterruptionMs
  if (undecided) return [state, []]
  return [forgetNothings({ ...state, agent: 'speaking' }), [{ type: 'resume' }]]
}

function judgeEnd(state: TurnState): Step {
  const { nowMs } = state.activity
  if (state.keys && keysAreDone(state.keys, nowMs)) {
    const { keys } = state
    const turn = { text: spokenKeys(keys), startedMs: keys.firstMs, endedMs: keys.lastMs, pauseMs: nowMs - keys.lastMs }
    return [{ ...state, keys: null }, [{ type: 'turn', ...turn }]]
  }
  const text = state.said.join(' ')
  const startedMs = state.startedMs ?? nowMs
  const tooLong = nowMs - startedMs >= longestTurnMs
  if (state.awaited.length > 0 && !(tooLong && text !== '')) return [state, []]
  if (text === '') return [forgetNothings(state), []]
  const pauseMs = pauseNeededMs(text)
  if (nowMs - state.lastVoicedMs < pauseMs && !tooLong) return [state, []]
  const turn = { text, startedMs, endedMs: state.lastVoicedMs, pauseMs }
  return [{ ...state, said: [], startedMs: null }, [{ type: 'turn', ...turn }]]
}

/** Noise that turned out to be no words begins no turn. */
const forgetNothings = (state: TurnState): TurnState =>
  state.awaited.length === 0 && state.said.length === 0 && state.startedMs !== null
    ? { ...state, startedMs: null }
    : state
