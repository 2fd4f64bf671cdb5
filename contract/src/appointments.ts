import { type Static, Type } from 'typebox'
import { sessions, WallClockTime } from './appointment-slots.ts'
import { Nullable, OneOf, Timestamp } from './common.ts'

export const appointmentStatuses = ['confirmed', 'cancelled', 'completed', 'no_show'] as const

const WithOffset = Type.String({ format: 'date-time', examples: ['2026-11-16T09:00:00+05:30'] })

/** The appointment object of decisions 7, in answers and in events. */
export const Appointment = Type.Object({
  appointment_id: Type.String({ format: 'uuid' }),
  status: OneOf(appointmentStatuses),
  slot_id: Type.String({ examples: ['01990000-0000-7000-8000-000000000000||2026-11-16'] }),
  calendar_id: Type.String({ format: 'uuid' }),
  branch_id: Type.String({ format: 'uuid' }),
  date: Type.String({ format: 'date' }),
  start_time: WallClockTime,
  end_time: WallClockTime,
  starts_at: WithOffset,
  ends_at: WithOffset,
  timezone: Type.String({ examples: ['Asia/Kolkata'] }),
  session: OneOf(sessions),
  batch: Nullable(Type.String()),
  appointment_type_id: Nullable(Type.String({ format: 'uuid' })),
  appointment_type_name: Nullable(Type.String()),
  contact_name: Nullable(Type.String()),
  contact_number: Nullable(Type.String()),
  contact_email: Nullable(Type.String()),
  notes: Nullable(Type.String()),
  booked_by: OneOf(['api', 'staff', 'ai']),
  call_id: Nullable(Type.String()),
  external_id: Nullable(Type.String()),
  cancellation_reason: Nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Appointment = Static<typeof Appointment>
