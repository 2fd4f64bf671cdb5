import type { BrainContext, BrainStep, ToolName, Tools } from '../../voice/ports.ts'
import { sayTime, type When } from './time-words.ts'
import type { Sentences } from './words/words.ts'

/** The question in the air: what a "yes" would answer. */
export type Phase =
  | 'greeted'
  | 'offer'
  | 'help'
  | 'slot'
  /** The appointment they have was said back: cancel it, or look for another time? */
  | 'change'
  | 'callback'
  | 'when'
  | 'confirm'
  /** Goodbye was said. */
  | 'closing'
  /** Being put through. */
  | 'held'
  | 'ended'
export type EndReason = 'done' | 'not_interested' | 'no_response'
export type Slot = { slot_id: string; label: string }
/** One the callee has. `slot_id`: where it is now. */
export type Booked = { appointment_id: string; label: string; slot_id?: string }

/** What a history comes to. Made anew from the history at every turn. */
export type State = {
  phase: Phase
  /** Still to offer; the first one is on the table. null: never asked for. */
  slots: readonly Slot[] | null
  offered: number
  slotHeard: boolean
  /** What the callee wants done with an appointment they have. */
  change: 'cancel' | 'move' | null
  /** Theirs; the first one is on the table. null: never asked for. */
  booked: readonly Booked[] | null
  bookedHeard: boolean
  /** The day a callee named when asking for an appointment. */
  wish: When | null
  callbackAt: Date | null
  callbackAtHeard: boolean
  rejections: number
  misses: number
  inputs: number
  silences: number
  asides: number
  failures: Partial<Record<ToolName, number>>
  reason: EndReason
  goodbyes: number
  /** An appointment or a call back is made: only the goodbye is left. */
  settled: boolean
}

export type Scene = { context: BrainContext; tools: Tools; say: Sentences }
export type Move = { state: State; steps: BrainStep[] }

export const startState: State = {
  phase: 'greeted',
  slots: null,
  offered: 0,
  slotHeard: false,
  change: null,
  booked: null,
  bookedHeard: false,
  wish: null,
  callbackAt: null,
  callbackAtHeard: false,
  rejections: 0,
  misses: 0,
  inputs: 0,
  silences: 0,
  asides: 0,
  failures: {},
  reason: 'done',
  goodbyes: 0,
  settled: false,
}

export function mayUse({ tools }: Scene, state: State, name: ToolName): boolean {
  return tools[name] !== undefined && (state.failures[name] ?? 0) < 2
}

export function canBook(scene: Scene, state: State): boolean {
  if (scene.tools.book_appointment === undefined) return false
  return state.slots ? state.slots.length > 0 : mayUse(scene, state, 'list_slots')
}

/** Asks the question in the air, after a word on what was just said. */
export function ask(scene: Scene, state: State, before = '', question = questionOf(scene, state)): Move {
  return { state, steps: [{ say: join(before, question) }] }
}

export function close(state: State, reason: EndReason, ...words: string[]): Move {
  const steps: BrainStep[] = [{ say: join(...words) }, { tool: 'end_call', args: { reason } }]
  return { state: { ...state, phase: 'closing', reason, goodbyes: state.goodbyes + 1 }, steps }
}

export function use(state: State, tool: ToolName, args: Record<string, unknown>, before = ''): Move {
  const step: BrainStep = { tool, args }
  return { state, steps: before ? [{ say: before }, step] : [step] }
}

/** From small talk to what the agent can do. */
export function lead(scene: Scene, state: State): State {
  return { ...state, phase: canBook(scene, state) ? 'offer' : 'help' }
}

export function join(...sentences: string[]): string {
  return sentences
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
    .map((sentence) => (/[.!?।…]$/.test(sentence) ? sentence : `${sentence}.`))
    .join(' ')
}

function questionOf({ context, say }: Scene, state: State): string {
  switch (state.phase) {
    case 'slot': {
      const label = state.slots?.[0]?.label ?? ''
      const isMove = state.change === 'move'
      if (state.offered <= 1) return isMove ? say.firstMove(label) : say.firstSlot(label)
      return isMove ? say.nextMove(label) : say.nextSlot(label)
    }
    case 'change': {
      const label = state.booked?.[0]?.label ?? ''
      return state.change === 'move' ? say.moveThis(label) : say.cancelThis(label)
    }
    case 'confirm':
      return say.readBack(sayTime(state.callbackAt ?? context.now, context))
    case 'when':
      return say.when
    case 'callback':
      return say.callbackOffer
    case 'greeted':
    case 'offer':
      return say.offer
    case 'held':
      return say.hold
    case 'help':
      return say.help
    case 'closing':
    case 'ended':
      return say.goodbye
  }
}
