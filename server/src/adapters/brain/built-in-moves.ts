import {
  ask,
  canBook,
  close,
  join,
  lead,
  type Move,
  mayUse,
  type Scene,
  type Slot,
  type State,
  use,
} from './built-in-state.ts'
import { isOnNamedDay, isoInZone, parseWhen, type When } from './time-words.ts'

const slotsToOffer = 3

export function transfer(scene: Scene, state: State): Move {
  if (mayUse(scene, state, 'transfer_to_human')) return use(state, 'transfer_to_human', {}, scene.say.connecting)
  return insteadCallBack(scene, state, scene.say.cannotTransfer)
}

export function insteadCallBack(scene: Scene, state: State, before: string): Move {
  if (mayUse(scene, state, 'schedule_callback')) return ask(scene, { ...state, phase: 'callback' }, before)
  return close(state, 'done', before, scene.say.goodbye)
}

/** Towards a call back; a time that was named is said back before anything is arranged. */
export function callBack(scene: Scene, state: State, when: When | null): Move {
  if (!mayUse(scene, state, 'schedule_callback')) {
    return close(state, 'done', scene.say.cannotCallBack, scene.say.goodbye)
  }
  if (!when) return ask(scene, { ...state, phase: 'when' })
  return ask(scene, { ...state, phase: 'confirm', callbackAt: when.at, callbackAtHeard: false })
}

export function arrangeCallBack(scene: Scene, state: State): Move {
  const { callbackAt, callbackAtHeard } = state
  if (!callbackAt || !callbackAtHeard || callbackAt <= scene.context.now) return ask(scene, state)
  return use(state, 'schedule_callback', { at: isoInZone(callbackAt, scene.context.timezone) })
}

export function book(scene: Scene, state: State, wish: When | null): Move {
  if (!canBook(scene, state)) {
    if (state.slots) return close(state, 'done', scene.say.noMoreSlots)
    return insteadCallBack(scene, state, scene.say.cannotBook)
  }
  if (state.slots) {
    const again = { ...state, change: null, offered: Math.max(0, state.offered - 1) }
    return offerSlot(scene, again, state.slots)
  }
  return listSlots(scene, { ...state, change: null, wish })
}

/** A day that was named is where the list begins: it may lie beyond the next few openings. */
export function listSlots({ context }: Scene, state: State): Move {
  const { wish } = state
  const from = wish?.day ? { from_date: isoInZone(wish.at, context.timezone).slice(0, 10) } : {}
  return use(state, 'list_slots', from)
}

/** An appointment is not moved to where it is. */
export function withoutOwn({ change, booked }: State, slots: readonly Slot[]): readonly Slot[] {
  return change === 'move' ? slots.filter((slot) => slot.slot_id !== booked?.[0]?.slot_id) : slots
}

/** A "yes" to words that were cut off before the date books nothing: it is asked again. */
export function bookSlot(scene: Scene, state: State): Move {
  const slot = state.slots?.[0]
  if (!slot || !state.slotHeard) return ask(scene, state)
  const own = state.change === 'move' ? state.booked?.[0] : undefined
  if (own) return use(state, 'move_appointment', { appointment_id: own.appointment_id, slot_id: slot.slot_id })
  return use(state, 'book_appointment', { slot_id: slot.slot_id })
}

export function nextSlot(scene: Scene, state: State, wish: When | null = null, before = ''): Move {
  const rest = (state.slots ?? []).slice(1)
  if (rest.length === 0 || state.offered >= slotsToOffer) {
    const kept = state.change === 'move' ? scene.say.kept : ''
    return close({ ...state, slots: [] }, 'done', before, kept, scene.say.noMoreSlots)
  }
  const slots = wishedFirst(scene, rest, wish)
  // The first one was held when it was listed; this one is kept free while it is talked about.
  if (!mayUse(scene, state, 'hold_slot')) return offerSlot(scene, state, slots, before)
  const next = { ...state, phase: 'slot', slots, slotHeard: false } as const
  return use(next, 'hold_slot', { slot_id: slots[0]?.slot_id }, join(before))
}

export function offerSlot(scene: Scene, state: State, slots: readonly Slot[], before = ''): Move {
  return ask(scene, { ...state, phase: 'slot', slots, offered: state.offered + 1, slotHeard: false }, before)
}

/** Slots carry words, not times: those whose words mean the wished day come first. */
export function wishedFirst<T extends { label: string }>(
  { context }: Scene,
  slots: readonly T[],
  wish: When | null,
): readonly T[] {
  if (!wish) return slots
  const isWished = (slot: T) => {
    const at = parseWhen(slot.label, context)
    return at !== null && isOnNamedDay(wish, at, context.timezone)
  }
  return [...slots.filter(isWished), ...slots.filter((slot) => !isWished(slot))]
}

/** Answered, or passed over: back to what the agent is calling for. */
export function answer(scene: Scene, state: State, words: string): Move {
  return ask(scene, state.phase === 'greeted' ? lead(scene, state) : state, words)
}
