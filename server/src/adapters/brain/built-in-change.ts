import type { Heard } from './built-in-hear.ts'
import { callBack, insteadCallBack, listSlots, offerSlot, wishedFirst, withoutOwn } from './built-in-moves.ts'
import { ask, type Booked, canBook, lead, type Move, mayUse, type Scene, type State, use } from './built-in-state.ts'
import { type OnWords, passOver, smallTalk } from './built-in-talk.ts'
import { isOnNamedDay, parseWhen, type When } from './time-words.ts'

type Change = 'cancel' | 'move'

const toolOf = { cancel: 'cancel_appointment', move: 'move_appointment' } as const

export function changeIn({ means }: Heard): Change | null {
  if (means.has('keep')) return null
  if (means.has('moveBooking')) return 'move'
  return means.has('cancelBooking') ? 'cancel' : null
}

/** The appointment is found and said back before anything is done to it. */
export function changeBooking(scene: Scene, state: State, change: Change, wish: When | null): Move {
  const wanted = { ...state, change, wish }
  const { cannotChange } = scene.say
  if (!mayUse(scene, state, toolOf[change])) return insteadCallBack(scene, { ...state, change: null }, cannotChange)
  if (state.booked) return onBookingsFound(scene, wanted, state.booked)
  if (mayUse(scene, state, 'find_appointments')) return use(wanted, 'find_appointments', {})
  return insteadCallBack(scene, { ...state, change: null }, cannotChange)
}

export function onBookingsFound(scene: Scene, state: State, found: readonly Booked[]): Move {
  const { change, wish } = state
  // Another brain asked for them and was cut off: what for is not known here.
  if (!change) return ask(scene, lead(scene, { ...state, booked: found }))
  if (found.length === 0) {
    const none = { ...state, booked: found, change: null }
    const isOffer = change === 'move' && canBook(scene, state)
    return ask(scene, { ...none, phase: isOffer ? 'offer' : 'help' }, scene.say.noAppointment)
  }
  // "My appointment on Friday" names the one to cancel, but where one to move should go.
  const booked = change === 'cancel' ? wishedFirst(scene, found, wish) : found
  return ask(scene, { ...state, phase: 'change', booked, bookedHeard: false })
}

export function keep(scene: Scene, state: State): Move {
  return ask(scene, { ...state, phase: 'help', change: null }, scene.say.kept)
}

export const onChange: OnWords = (scene, state, heard, when) => {
  const { means } = heard
  if (means.has('keep')) return keep(scene, state)
  if (means.has('callback')) return callBack(scene, state, when)
  const other = otherThan(scene, state, heard, when)
  if (other) return ask(scene, { ...state, booked: other, bookedHeard: false })
  const aside = smallTalk(scene, state, heard)
  if (aside) return aside
  const isDoubtful = means.has('question') || means.has('unsure') || means.has('no')
  const asksAgain = changeIn(heard) !== null || (state.change === 'move' && when !== null)
  if (heard.answer === 'yes' || (asksAgain && !isDoubtful)) return carryOut(scene, state, when ?? state.wish)
  return heard.answer === 'no' ? keep(scene, state) : passOver(scene, state, heard)
}

/** "No, the other one", "no, the one on Friday": only where there are several. */
function otherThan(
  { context }: Scene,
  { booked, change }: State,
  { means, answer }: Heard,
  when: When | null,
): readonly Booked[] | null {
  const [first, ...others] = booked ?? []
  if (!first || others.length === 0 || answer === 'yes') return null
  const isMeant = ({ label }: Booked) => {
    const at = parseWhen(label, context)
    return when !== null && at !== null && isOnNamedDay(when, at, context.timezone)
  }
  const named = change === 'cancel' && !isMeant(first) ? others.find(isMeant) : undefined
  if (named) return [named, first, ...others.filter((each) => each !== named)]
  return means.has('another') ? [...others, first] : null
}

/** A "yes" to words that were cut off before the date changes nothing: it is asked again. */
function carryOut(scene: Scene, state: State, wish: When | null): Move {
  const own = state.booked?.[0]
  if (!own || !state.bookedHeard) return ask(scene, state)
  if (state.change === 'cancel') return use(state, 'cancel_appointment', { appointment_id: own.appointment_id })
  const slots = state.slots && withoutOwn(state, state.slots)
  if (slots && slots.length > 0) return offerSlot(scene, { ...state, offered: 0 }, wishedFirst(scene, slots, wish))
  if (!state.slots && mayUse(scene, state, 'list_slots')) return listSlots(scene, { ...state, wish })
  return insteadCallBack(scene, { ...state, change: null }, `${scene.say.noSlots} ${scene.say.kept}`)
}
