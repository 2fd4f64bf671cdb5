import { changeBooking, changeIn, keep, onChange } from './built-in-change.ts'
import { type Heard, hear } from './built-in-hear.ts'
import { answer, arrangeCallBack, book, bookSlot, callBack, nextSlot, transfer } from './built-in-moves.ts'
import { ask, canBook, close, join, lead, type Move, mayUse, type Scene, type State, use } from './built-in-state.ts'
import { mostAsides, type OnWords, passOver, smallTalk } from './built-in-talk.ts'
import { isOnNamedDay, isoInZone, parseWhen, understandWhen, type When } from './time-words.ts'

/** With the tools in between, a call ends well within 40 turns. */
const mostInputs = 20
/** A read-back and a repeated "in an hour" lie seconds apart. */
const sameTimeMinutes = 5
const noon = 12 * 60

export function onSilence(scene: Scene, before: State): Move {
  const state = { ...before, silences: before.silences + 1, inputs: before.inputs + 1 }
  const over = whenOver(scene, state)
  if (over) return over
  if (state.silences > 1) return close(state, 'no_response', scene.say.noResponse)
  return ask(scene, state, '', scene.say.stillThere)
}

export function onWords(scene: Scene, before: State, text: string): Move {
  const state = { ...before, silences: 0, inputs: before.inputs + 1 }
  const { say, context } = scene
  const over = whenOver(scene, state)
  if (over) return over
  const heard = hear(text)
  const { means } = heard
  if (means.has('refuse')) return close(state, 'not_interested', say.refused)
  if (means.has('wrongNumber')) return close(state, 'done', say.wrongNumber)
  if (means.has('robot')) return answer(scene, state, say.robot)
  if (means.has('human')) return transfer(scene, state)
  const when = understandWhen(text, context)
  // "Yes" to "Are you still there?" agrees to nothing else.
  if (before.silences > 0 && isPresence(heard, when)) return answer(scene, state, '')
  const change = changeIn(heard)
  if (change && asksToChange(state, heard, change)) return changeBooking(scene, state, change, when)
  return phases[state.phase](scene, state, heard, when)
}

function whenOver(scene: Scene, state: State): Move | null {
  if (state.phase === 'ended') return { state, steps: [] }
  if (state.phase === 'closing') {
    // Interrupted twice: hanging up is all that is left.
    if (state.goodbyes > 1) return use(state, 'end_call', { reason: state.reason })
    return close(state, state.reason, scene.say.goodbye)
  }
  if (state.inputs > mostInputs) return close(state, 'done', scene.say.enough)
  return state.phase === 'held' ? ask(scene, state) : null
}

/** "Cancel it" is about an appointment when nothing else is on the table, or when it says so. */
function asksToChange({ phase, change: current }: State, { means }: Heard, change: 'cancel' | 'move'): boolean {
  const isOnTheTable = phase === 'change' || (phase === 'slot' && current !== null)
  if (isOnTheTable) return change !== current && !means.has('keep')
  return means.has('book') || (phases[phase] === inTheOpen && !means.has('callback'))
}

function isPresence({ means, answer: said }: Heard, when: When | null): boolean {
  const wantsMore = means.has('book') || means.has('callback') || means.has('later')
  return !when && !wantsMore && (said === 'yes' || means.has('hello') || means.has('repeat'))
}

const inTheOpen: OnWords = (scene, state, heard, when) => {
  const { means } = heard
  const agrees = heard.answer === 'yes' && state.phase === 'offer'
  const wantsBooking = (means.has('book') && heard.answer !== 'no') || agrees
  if (means.has('callback')) return callBack(scene, state, when)
  const aside = smallTalk(scene, state, heard)
  if (aside) return aside
  if (wantsBooking && canBook(scene, state)) return book(scene, state, when)
  if (when || means.has('later')) return callBack(scene, state, when)
  if (wantsBooking) return book(scene, state, null)
  if (heard.answer === 'yes') return onYes(scene, state)
  if (heard.answer === 'no') return onNo(scene, state)
  return passOver(scene, state, heard)
}

function onYes(scene: Scene, state: State): Move {
  const { say } = scene
  if (state.phase === 'callback') return callBack(scene, state, null)
  if (state.phase !== 'help') return ask(scene, lead(scene, state))
  if (state.asides >= mostAsides) return close(state, 'done', say.enough)
  const offers = [
    mayUse(scene, state, 'schedule_callback') ? say.canCallBack : '',
    mayUse(scene, state, 'transfer_to_human') ? say.canTransfer : '',
  ]
  return ask(scene, { ...state, asides: state.asides + 1 }, join(...offers), say.whatElse)
}

function onNo(scene: Scene, state: State): Move {
  const isAboutThisMoment = state.phase === 'greeted' && mayUse(scene, state, 'schedule_callback')
  if (isAboutThisMoment) return ask(scene, { ...state, phase: 'callback' })
  return close(state, state.phase === 'offer' ? 'not_interested' : 'done', scene.say.goodbye)
}

const onSlot: OnWords = (scene, state, heard, when) => {
  const { means } = heard
  if (means.has('keep') && state.change) return keep(scene, state)
  if (means.has('callback')) return callBack(scene, state, when)
  if (when && !isThisSlot(scene, state, when, heard.answer === 'yes')) return nextSlot(scene, state, when)
  if (means.has('another') || means.has('later')) return nextSlot(scene, state)
  const aside = smallTalk(scene, state, heard)
  if (aside) return aside
  const isDoubtful = means.has('question') || means.has('unsure') || means.has('no')
  if (heard.answer === 'yes' || (means.has('book') && !isDoubtful)) return bookSlot(scene, state)
  return heard.answer === 'no' ? nextSlot(scene, state) : passOver(scene, state, heard)
}

/** "Yes, Monday is fine" names the day on the table, not another one. */
function isThisSlot(scene: Scene, state: State, when: When, agrees: boolean): boolean {
  const at = parseWhen(state.slots?.[0]?.label ?? '', scene.context)
  return at === null ? agrees : isSameTime(scene, when, at)
}

const onWhen: OnWords = (scene, state, heard, when) => {
  if (when) return callBack(scene, state, when)
  if (heard.means.has('book') && heard.answer !== 'no') return book(scene, state, null)
  const aside = smallTalk(scene, state, heard)
  if (aside) return aside
  if (heard.answer === 'no' || state.misses > 0) return close(state, 'done', scene.say.goodbye)
  return ask(scene, { ...state, misses: state.misses + 1 }, '', scene.say.whenAgain)
}

const onConfirm: OnWords = (scene, state, heard, when) => {
  const names = when && state.callbackAt && isSameTime(scene, when, state.callbackAt) ? null : when
  if (names) return callBack(scene, state, names)
  const aside = smallTalk(scene, state, heard)
  if (aside) return aside
  if (heard.answer === 'yes') return arrangeCallBack(scene, state)
  if (heard.means.has('book') && heard.answer !== 'no') return book(scene, state, null)
  if (heard.answer !== 'no' && !heard.means.has('later')) return passOver(scene, state, heard)
  if (state.rejections > 0) return close(state, 'done', scene.say.goodbye)
  return ask(scene, { ...state, phase: 'when', rejections: 1 }, '', scene.say.whenElse)
}

/** As far as it was named: "yes, Monday is fine" and "yes, at nine" both agree to Monday at nine. */
function isSameTime({ context: { timezone } }: Scene, when: When, other: Date): boolean {
  if (!isOnNamedDay(when, other, timezone)) return false
  const [said, meant] = [minuteOfDay(when.at, timezone), minuteOfDay(other, timezone)]
  if (when.clock) return Math.abs(said - meant) <= sameTimeMinutes
  return when.day !== null || said < noon === meant < noon
}

function minuteOfDay(date: Date, timezone: string): number {
  const iso = isoInZone(date, timezone)
  return Number(iso.slice(11, 13)) * 60 + Number(iso.slice(14, 16))
}

const phases: Record<State['phase'], OnWords> = {
  greeted: inTheOpen,
  offer: inTheOpen,
  help: inTheOpen,
  callback: inTheOpen,
  slot: onSlot,
  change: onChange,
  when: onWhen,
  confirm: onConfirm,
  // whenOver has answered for these.
  closing: inTheOpen,
  held: inTheOpen,
  ended: inTheOpen,
}
