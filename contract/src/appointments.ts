import { type Static, Type } from 'typebox'
import { days, Id, sessions, WallClockTime } from './appointment-slots.ts'
import { Email, Name } from './calls.ts'
import { CalendarDate, closed, ListQuery, Nullable, OneOf, PageEnd, Timestamp } from './common.ts'
import { bookers } from './slot-dates.ts'

export const appointmentStatuses = ['confirmed', 'cancelled', 'completed', 'no_show'] as const
export type AppointmentStatus = (typeof appointmentStatuses)[number]

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
  booked_by: OneOf(bookers),
  call_id: Nullable(Type.String()),
  external_id: Nullable(Type.String()),
  cancellation_reason: Nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Appointment = Static<typeof Appointment>

const SlotId = Type.String({
  maxLength: 200,
  description: 'With a date: `<calendar_id>||<date>`, as availability answers it.',
})
const ContactName = { ...Name, minLength: 1 }
const ContactNumber = Type.String({ maxLength: 40, description: 'E.164: `+1` or `+91` and ten digits.' })
const Notes = Type.String({ maxLength: 2_000 })
const NotesOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 2_000 })
const EmailOrNull = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  maxLength: 254,
  pattern: '^[^\\s@]+@[^\\s@]+$',
})
const ExternalId = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Your own id of it. Used once among appointments that are not cancelled.',
})

export const CreateAppointmentBody = Type.Object(
  {
    slot_id: SlotId,
    contact_name: ContactName,
    contact_number: ContactNumber,
    contact_email: Type.Optional(Email),
    appointment_type_id: Type.Optional({ ...Id, description: 'The service, where the window is open to several.' }),
    notes: Type.Optional(Notes),
    booked_by: Type.Optional(OneOf(bookers, { default: 'api', description: '`ai` counts against `ai_slots`.' })),
    call_id: Type.Optional(Type.String({ maxLength: 64 })),
    external_id: Type.Optional(ExternalId),
  },
  closed,
)
export type CreateAppointmentBody = Static<typeof CreateAppointmentBody>

export const PatchAppointmentBody = Type.Object(
  {
    status: Type.Optional(OneOf(appointmentStatuses)),
    slot_id: Type.Optional({ ...SlotId, description: 'Moves the appointment there, if a place is free.' }),
    appointment_type_id: Type.Optional(Id),
    contact_name: Type.Optional(ContactName),
    contact_number: Type.Optional(ContactNumber),
    contact_email: Type.Optional(EmailOrNull),
    notes: Type.Optional(NotesOrNull),
    cancellation_reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  },
  { ...closed, minProperties: 1 },
)
export type PatchAppointmentBody = Static<typeof PatchAppointmentBody>

export const ListAppointmentsQuery = Type.Object(
  {
    ...ListQuery,
    branch_id: Type.Optional(Id),
    calendar_id: Type.Optional(Id),
    appointment_type_id: Type.Optional(Id),
    date: Type.Optional({ ...CalendarDate, description: 'One date: short for both.' }),
    start_date: Type.Optional({ ...CalendarDate, description: 'First date of the appointment, inclusive.' }),
    end_date: Type.Optional({ ...CalendarDate, description: 'Last date of the appointment, inclusive.' }),
    status: Type.Optional(
      Type.String({
        maxLength: 100,
        description: `Comma list of: ${appointmentStatuses.join(', ')}.`,
        examples: ['confirmed'],
      }),
    ),
    session: Type.Optional(OneOf(sessions)),
    booked_by: Type.Optional(OneOf(bookers)),
    contact_number: Type.Optional(
      Type.String({ maxLength: 20, description: 'E.164; write the plus sign as `%2B` in a URL.' }),
    ),
    call_id: Type.Optional(Type.String({ maxLength: 64 })),
    external_id: Type.Optional(Type.String({ maxLength: 200 })),
  },
  closed,
)
export type ListAppointmentsQuery = Static<typeof ListAppointmentsQuery>

const success = Type.Literal(true)
export const AppointmentAnswer = Type.Object({ success, data: Appointment })
export const AppointmentList = Type.Object({ success, data: Type.Array(Appointment), ...PageEnd })
export type AppointmentList = Static<typeof AppointmentList>

const Hours = Type.Object({ start: WallClockTime, end: WallClockTime })
export const Holiday = Type.Object({
  holiday_id: Type.String({ format: 'uuid' }),
  start_date: CalendarDate,
  end_date: CalendarDate,
  reason: Nullable(Type.String()),
  closed: Type.Boolean(),
  hours: Nullable(Type.Partial(Type.Record(OneOf(sessions), Hours))),
})
export type Holiday = Static<typeof Holiday>

export const Branch = Type.Object({
  branch_id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  timezone: Type.String(),
  session_hours: Type.Object({ Morning: Hours, Afternoon: Hours, Evening: Hours }),
  holidays: Type.Array(Holiday, { description: 'From today on, at most 100.' }),
  created_at: Timestamp,
})
export type Branch = Static<typeof Branch>
export const BranchList = Type.Object({ success, data: Type.Array(Branch), ...PageEnd })

export const Service = Type.Object({
  appointment_type_id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  duration_minutes: Type.Integer(),
  branch_ids: Type.Array(Type.String({ format: 'uuid' }), { description: 'Where it is offered. Empty: everywhere.' }),
  created_at: Timestamp,
})
export type Service = Static<typeof Service>
export const ServiceList = Type.Object({ success, data: Type.Array(Service), ...PageEnd })

export const ListBranchesQuery = Type.Object(ListQuery, closed)
export type ListBranchesQuery = Static<typeof ListBranchesQuery>
export const ListServicesQuery = Type.Object(
  { ...ListQuery, branch_id: Type.Optional({ ...Id, description: 'Only what is offered at this branch.' }) },
  closed,
)
export type ListServicesQuery = Static<typeof ListServicesQuery>

export const AppointmentConfiguration = Type.Object({
  success,
  data: Type.Object({
    timezone: Type.String({ description: "The organisation's; each branch has its own." }),
    days: Type.Array(OneOf(days)),
    sessions: Type.Array(OneOf(sessions)),
    statuses: Type.Array(OneOf(appointmentStatuses)),
    moves: Type.Unsafe<Record<AppointmentStatus, AppointmentStatus[]>>({
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'string', enum: [...appointmentStatuses] } },
      description: 'From each status to which others.',
    }),
    booked_by: Type.Array(OneOf(bookers)),
    availability_days: Type.Integer(),
    regenerate_days: Type.Integer(),
  }),
})
