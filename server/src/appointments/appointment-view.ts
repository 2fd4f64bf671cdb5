import type { Appointment } from '@parley/contract/appointments'
import { textIn } from '../platform/local-time.ts'
import { slotIdOf } from '../slots/slot-id.ts'
import type { AppointmentRecord } from './appointment.ts'

/** The appointment object of decisions 7, in answers and in events. */
export const appointmentView = (record: AppointmentRecord): Appointment => ({
  appointment_id: record.appointmentId,
  status: record.status,
  slot_id: slotIdOf(record.calendarId, record.date),
  calendar_id: record.calendarId,
  branch_id: record.branchId,
  date: record.date,
  start_time: record.startTime,
  end_time: record.endTime,
  starts_at: textIn(record.timezone, record.startsAt),
  ends_at: textIn(record.timezone, record.endsAt),
  timezone: record.timezone,
  session: record.session,
  batch: record.batch,
  appointment_type_id: record.appointmentTypeId,
  appointment_type_name: record.appointmentTypeName,
  contact_name: record.contactName,
  contact_number: record.contactNumber,
  contact_email: record.contactEmail,
  notes: record.notes,
  booked_by: record.bookedBy,
  call_id: record.callId,
  external_id: record.externalId,
  cancellation_reason: record.cancellationReason,
  created_at: record.createdAt.toISOString(),
  updated_at: record.updatedAt.toISOString(),
})
