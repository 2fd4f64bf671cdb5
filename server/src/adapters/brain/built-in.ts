import type { Brain, BrainContext, BrainStep, HistoryItem, Tools } from '../../voice/ports.ts'
import { onSilence, onWords } from './built-in-callee.ts'
import { hear } from './built-in-hear.ts'
import { onToolResult } from './built-in-results.ts'
import { canBook, join, type Move, type Scene, type Slot, type State, startState } from './built-in-state.ts'
import { parseWhen } from './time-words.ts'
import { english } from './words/en.ts'
import { hindi } from './words/hi.ts'
import { isHindi } from './words/language.ts'
import { plain } from './words/plain.ts'

/**
 * Rules instead of a model: greets, books, calls back, puts through, takes no for an answer. It keeps nothing between
 * turns; the same history always gives the same words.
 */
export const builtInBrain: Brain = {
  async *turn(context, history, tools, signal) {
    for (const step of decide(context, history, tools)) {
      if (signal.aborted) return
      yield step
    }
  },
}

function decide(context: BrainContext, history: readonly HistoryItem[], tools: Tools): BrainStep[] {
  const scene: Scene = { context, tools, say: isHindi(context.language) ? hindi : english }
  const greeting: Move = { state: openingState(scene), steps: [{ say: greetingOf(scene) }] }
  const greeted = history.findIndex((item) => item.role === 'agent')
  // A callee may speak first; what was said before the greeting answers nothing.
  if (greeted < 0 && history.length <= 1) return greeting.steps
  return history.slice(greeted < 0 ? 1 : greeted).reduce((move, item) => next(scene, move, item), greeting).steps
}

function next(scene: Scene, move: Move, item: HistoryItem): Move {
  switch (item.role) {
    case 'agent':
      return { state: afterSaying(scene, move, item.text), steps: [] }
    case 'user':
      return onWords(scene, move.state, item.text)
    case 'silence':
      return onSilence(scene, move.state)
    case 'tool':
      return onToolResult(scene, move.state, item.name, item.result)
  }
}

function greetingOf({ context, say }: Scene): string {
  if (context.greeting.trim() !== '') return context.greeting
  return context.agentName.trim() === '' ? say.help : join(say.hello(context.agentName.trim()))
}

/** A greeting that offers an appointment itself is the offer. */
function openingState(scene: Scene): State {
  const { greeting } = scene.context
  const isOffer = greeting.includes('?') && hear(greeting).means.has('book') && canBook(scene, startState)
  return isOffer ? { ...startState, phase: 'offer' } : startState
}

/** The history holds what was really heard: a date cut off by an interruption cannot be agreed to. */
function afterSaying(scene: Scene, { state, steps }: Move, text: string): State {
  if (state.phase === 'confirm' || state.phase === 'when') {
    const time = scene.say.readBackPattern.exec(text)?.[1]
    // The time the callee heard counts, whatever "in an hour" would mean by now.
    const at = time === undefined ? null : parseWhen(time, scene.context)
    if (at) return { ...state, phase: 'confirm', callbackAt: at, callbackAtHeard: true }
    if (isReadBack(scene, text)) return state
  }
  if (!isOwn(steps, text)) return afterAnother(state, text)
  if (state.phase === 'slot') return { ...state, slotHeard: state.slotHeard || names(text, state.slots?.[0]) }
  if (state.phase === 'change') return { ...state, bookedHeard: state.bookedHeard || names(text, state.booked?.[0]) }
  return state
}

function isReadBack({ say }: Scene, text: string): boolean {
  const opening = plain(say.readBack('\n').split('\n')[0] ?? '')
  return plain(text).startsWith(opening) || opening.startsWith(plain(text))
}

function isOwn(steps: readonly BrainStep[], text: string): boolean {
  return steps.some((step) => 'say' in step && plain(step.say).startsWith(plain(text)))
}

/**
 * Another brain spoke and failed later (with-fallback.ts): what it asked is unknown here, so the callee's next yes
 * agrees to nothing but an opening it named.
 */
function afterAnother(state: State, text: string): State {
  if (state.settled || state.phase === 'held' || state.phase === 'ended') return state
  const { slots, failures, booked } = state
  const fresh: State = { ...startState, slots, failures, booked }
  const named = slots?.find((slot) => names(text, slot))
  // With an appointment of theirs found, the opening may be where it was to be moved: a yes must not book a second one.
  if (!named || (booked && booked.length > 0)) return fresh
  const others = slots?.filter((slot) => slot !== named) ?? []
  return { ...fresh, phase: 'slot', slots: [named, ...others], offered: 1, slotHeard: true }
}

function names(text: string, told: Pick<Slot, 'label'> | undefined): boolean {
  return told !== undefined && plain(text).includes(plain(told.label))
}
