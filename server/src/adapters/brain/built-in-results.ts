import type { ToolName, ToolResult } from '../../voice/ports.ts'
import { onBookingsFound } from './built-in-change.ts'
import { insteadCallBack, nextSlot, offerSlot, wishedFirst, withoutOwn } from './built-in-moves.ts'
import {
  ask,
  type Booked,
  close,
  join,
  lead,
  type Move,
  type Scene,
  type Slot,
  type State,
  use,
} from './built-in-state.ts'

type OnResult = (scene: Scene, state: State, result: ToolResult) => Move

export function onToolResult(scene: Scene, state: State, name: ToolName, result: ToolResult): Move {
  if (result.ok) return onSuccess[name](scene, state, result)
  const failed = { ...state, failures: { ...state.failures, [name]: (state.failures[name] ?? 0) + 1 } }
  return onFailure[name](scene, failed, { ...result, message: wordsOf(result, scene.say.failed) })
}

const onSuccess: Record<ToolName, OnResult> = {
  list_slots: (scene, state, result) => {
    const slots = wishedFirst(scene, withoutOwn(state, slotsOf(result)), state.wish)
    const listed = { ...state, slots }
    if (slots.length > 0) return offerSlot(scene, listed, slots)
    const kept = state.change === 'move' ? scene.say.kept : ''
    return insteadCallBack(scene, { ...listed, change: null }, join(scene.say.noSlots, kept))
  },
  hold_slot: (scene, state, { slot_id }) => {
    const slots = state.slots ?? []
    const held = slots.find((slot) => slot.slot_id === slot_id) ?? slots[0]
    if (!held) return ask(scene, lead(scene, state))
    return offerSlot(scene, state, [held, ...slots.filter((slot) => slot !== held)])
  },
  find_appointments: (scene, state, result) => onBookingsFound(scene, state, bookedOf(result)),
  cancel_appointment: (scene, state, result) =>
    close({ ...state, settled: true }, 'done', wordsOf(result, scene.say.cancelled), scene.say.goodbye),
  move_appointment: (scene, state, result) =>
    close({ ...state, settled: true }, 'done', wordsOf(result, scene.say.moved), scene.say.goodbye),
  book_appointment: (scene, state, result) =>
    close({ ...state, settled: true }, 'done', wordsOf(result, scene.say.booked), scene.say.goodbye),
  schedule_callback: (scene, state, result) =>
    close({ ...state, settled: true }, 'done', wordsOf(result, scene.say.callbackArranged), scene.say.goodbye),
  // The conversation ends by itself once the callee has been put through.
  transfer_to_human: (scene, state, result) =>
    ask(scene, { ...state, phase: 'held' }, '', wordsOf(result, scene.say.connected)),
  end_call: (_scene, state) => ({ state: { ...state, phase: 'ended' }, steps: [] }),
}

const onFailure: Record<ToolName, OnResult> = {
  list_slots: (scene, state, { message }) => insteadCallBack(scene, state, message),
  book_appointment: (scene, state, { message }) => nextSlot(scene, state, null, message),
  hold_slot: (scene, state, { message }) => nextSlot(scene, state, null, message),
  find_appointments: (scene, state, { message }) => insteadCallBack(scene, { ...state, change: null }, message),
  cancel_appointment: (scene, state, { message }) => insteadCallBack(scene, { ...state, change: null }, message),
  move_appointment: (scene, state, { message }) => nextSlot(scene, state, null, message),
  schedule_callback: (scene, state, { message }) =>
    (state.failures.schedule_callback ?? 0) < 2
      ? ask(
          scene,
          { ...state, phase: 'when', callbackAt: null },
          message,
          isQuestion(message) ? '' : scene.say.whenElse,
        )
      : close(state, 'done', message, scene.say.goodbye),
  transfer_to_human: (scene, state, { message }) => insteadCallBack(scene, state, message),
  end_call: (_scene, state) =>
    (state.failures.end_call ?? 0) < 2 ? use(state, 'end_call', { reason: state.reason }) : { state, steps: [] },
}

function isQuestion(message: string): boolean {
  return message.trim().endsWith('?')
}

function wordsOf({ message }: ToolResult, instead: string): string {
  return message.trim() === '' ? instead : message
}

function slotsOf({ slots }: ToolResult): Slot[] {
  return Array.isArray(slots) ? slots.filter(isSlot) : []
}

function isSlot(value: unknown): value is Slot {
  if (typeof value !== 'object' || value === null) return false
  const { slot_id, label } = value as Record<string, unknown>
  return typeof slot_id === 'string' && slot_id !== '' && typeof label === 'string' && label.trim() !== ''
}

function bookedOf({ appointments }: ToolResult): Booked[] {
  return Array.isArray(appointments) ? appointments.filter(isBooked) : []
}

function isBooked(value: unknown): value is Booked {
  if (typeof value !== 'object' || value === null) return false
  const { appointment_id, label } = value as Record<string, unknown>
  return typeof appointment_id === 'string' && appointment_id !== '' && typeof label === 'string' && label.trim() !== ''
}
