import type { PatchAppointmentBody } from '@parley/contract/appointments'
import { type Fault, fault, ParleyError } from '../platform/errors.ts'
import { type AppointmentRecord, appointmentMoves, takesPlace } from './appointment.ts'

export type Plan = {
  status: AppointmentRecord['status']
  appointment: AppointmentRecord
  /** By the status alone; a move gives and takes besides. */
  givesPlace: boolean
  takesPlace: boolean
  faults: Fault[]
}

const reasonNotAllowed = fault('cancellation_reason', 'not_allowed', 'Only a cancelled appointment has a reason.')

/** The rules of one body, whatever the appointment is. */
export function patchFaults(body: Record<string, unknown>): Fault[] {
  const faults: Fault[] = []
  const ends = body.status !== undefined && body.status !== 'confirmed'
  if (ends && body.slot_id !== undefined)
    faults.push(fault('slot_id', 'not_allowed', 'An appointment is moved, or it is ended; not both.'))
  if (body.cancellation_reason !== undefined && body.status !== undefined && body.status !== 'cancelled')
    faults.push(reasonNotAllowed)
  return faults
}

/** What the fields of a patch make of an appointment; where and for what service is decided with the calendar. */
export function planChange(before: AppointmentRecord, patch: PatchAppointmentBody): Plan {
  const status = patch.status ?? before.status
  const isSameAgain = patch.status === before.status
  if (status !== before.status && !appointmentMoves[before.status].includes(status)) {
    const message = `The appointment is ${before.status} and cannot become ${status}.`
    throw new ParleyError('APPOINTMENT_STATUS_CONFLICT', message, {
      details: [fault('status', 'conflict', movesInWords(before.status))],
    })
  }
  // Cancelled again: the first reason stays. To write another, send it without a status.
  const reason = isSameAgain ? before.cancellationReason : (patch.cancellation_reason ?? before.cancellationReason)
  const appointment: AppointmentRecord = {
    ...before,
    status,
    contactName: patch.contact_name ?? before.contactName,
    contactNumber: patch.contact_number ?? before.contactNumber,
    contactEmail: patch.contact_email === undefined ? before.contactEmail : patch.contact_email,
    notes: patch.notes === undefined ? before.notes : patch.notes,
    cancellationReason: status === 'cancelled' ? reason : null,
  }
  return {
    status,
    appointment,
    givesPlace: takesPlace(before.status) && !takesPlace(status),
    takesPlace: !takesPlace(before.status) && takesPlace(status),
    faults: patch.cancellation_reason !== undefined && status !== 'cancelled' ? [reasonNotAllowed] : [],
  }
}

/** “A cancelled appointment can only become confirmed.” */
function movesInWords(status: AppointmentRecord['status']): string {
  const moves = appointmentMoves[status]
  const last = moves.at(-1)
  return moves.length === 1
    ? `A ${status} appointment can only become ${last}.`
    : `A ${status} appointment can become ${moves.slice(0, -1).join(', ')} or ${last}.`
}

const timeOf = (value: unknown): unknown => (value instanceof Date ? value.getTime() : value)

export const isSame = (before: AppointmentRecord, after: AppointmentRecord): boolean =>
  Object.entries(after).every(([name, value]) => timeOf(before[name as keyof AppointmentRecord]) === timeOf(value))
