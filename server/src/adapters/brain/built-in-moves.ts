import type { Slot } from './built-in-state.ts'
import { ask, canBook, close, lead, type Move, mayUse, type Scene, type State, use } from './built-in-state.ts'
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
  if (state.slots) return offerSlot(scene, { ...state, offered: Math.max(0, state.offered - 1) }, state.slots)
  return use({ ...state, wish }, 'list_slots', {})
}

/** A "yes" to words that were cut off before the date books nothing: it is asked again. */
export function bookSlot(scene: Scene, state: State): Move {
  const slot = state.slots?.[0]
  if (!slot || !state.slotHeard) return ask(scene, state)
  return use(state, 'book_appointment', { slot_id: slot.slot_id })
}

export function nextSlot(scene: Scene, state: State, wish: When | null = null, before = ''): Move {
  const rest = (state.slots ?? []).slice(1)
  if (rest.length === 0 || state.offered >= slotsToOffer) {
    return close({ ...state, slots: [] }, 'done', before, scene.say.noMoreSlots)
  }
  return offerSlot(scene, state, wishedFirst(scene, rest, wish), before)
}

export function offerSlot(scene: Scene, state: State, slots: readonly Slot[], before = ''): Move {
  return ask(scene, { ...state, phase: 'slot', slots, offered: state.offered + 1, slotHeard: false }, before)
}

/** Slots carry words, not times: those whose words mean the wished day come first. */
export function wishedFirst({ context }: Scene, slots: readonly Slot[], wish: When | null): readonly Slot[] {
  if (!wish) return slots
  const isWished = (slot: Slot) => {
    const at = parseWhen(slot.label, context)
    return at !== null && isOnNamedDay(wish, at, context.timezone)
  }
  return [...slots.filter(isWished), ...slots.filter((slot) => !isWished(slot))]
}

/** Answered, or passed over: back to what the agent is calling for. */
export function answer(scene: Scene, state: State, words: string): Move {
  return ask(scene, state.phase === 'greeted' ? lead(scene, state) : state, words)
}
