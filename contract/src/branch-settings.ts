import { type Static, Type } from 'typebox'
import { Id, type Session, WallClockTime } from './appointment-slots.ts'
import { CalendarDate, closed, Nullable, Timestamp } from './common.ts'

/** Branches, services and holidays as the dashboard keeps them. */
const success = Type.Literal(true)
const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' })
const TimeZone = Type.String({ minLength: 1, maxLength: 64 })
const HoursBody = Type.Object({ start: WallClockTime, end: WallClockTime }, closed)
const SessionHours = Type.Object({ Morning: HoursBody, Afternoon: HoursBody, Evening: HoursBody }, closed)
/** Null: closed. */
const SomeHours = Type.Unsafe<Partial<Record<Session, Static<typeof HoursBody>>> | null>({
  type: ['object', 'null'],
  properties: { Morning: HoursBody, Afternoon: HoursBody, Evening: HoursBody },
  additionalProperties: false,
})
const Deleted = (name: string) =>
  Type.Object({ success, data: Type.Object({ [name]: Type.String(), deleted: Type.Literal(true) }) })

export const BranchSettings = Type.Object({
  branch_id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  timezone: Type.String(),
  session_hours: SessionHours,
  /** What refers to it: while there is any, it cannot be deleted. */
  windows: Type.Integer(),
  agents: Type.Integer(),
  services: Type.Integer(),
  created_at: Timestamp,
})
export type BranchSettings = Static<typeof BranchSettings>
export const BranchSettingsList = Type.Object({ success, data: Type.Array(BranchSettings) })
export const BranchSettingsAnswer = Type.Object({ success, data: BranchSettings })
/** `moved_appointments`: those that keep their time of day in another zone. */
export const ChangedBranch = Type.Object({
  success,
  data: Type.Object({ ...BranchSettings.properties, moved_appointments: Type.Integer() }),
})
export type ChangedBranch = Static<typeof ChangedBranch>
export const DeletedBranch = Deleted('branch_id')

export const CreateBranchBody = Type.Object(
  { name: Name, timezone: TimeZone, session_hours: Type.Optional(SessionHours) },
  closed,
)
export type CreateBranchBody = Static<typeof CreateBranchBody>
export const PatchBranchBody = Type.Object(
  {
    name: Type.Optional(Name),
    timezone: Type.Optional(TimeZone),
    session_hours: Type.Optional(SessionHours),
  },
  { ...closed, minProperties: 1 },
)
export type PatchBranchBody = Static<typeof PatchBranchBody>

export const ServiceSettings = Type.Object({
  appointment_type_id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  duration_minutes: Type.Integer(),
  branch_ids: Type.Array(Type.String({ format: 'uuid' }), { description: 'Empty: offered everywhere.' }),
  windows: Type.Integer(),
  appointments: Type.Integer(),
  created_at: Timestamp,
})
export type ServiceSettings = Static<typeof ServiceSettings>
export const ServiceSettingsList = Type.Object({ success, data: Type.Array(ServiceSettings) })
export const ServiceSettingsAnswer = Type.Object({ success, data: ServiceSettings })
export const DeletedService = Deleted('appointment_type_id')

const DurationMinutes = Type.Integer({ minimum: 1, maximum: 1_440 })
const BranchIds = Type.Array(Id, { maxItems: 200 })
export const CreateServiceBody = Type.Object(
  {
    name: Name,
    duration_minutes: DurationMinutes,
    branch_ids: Type.Optional({ ...BranchIds, description: 'Empty or left out: offered everywhere.' }),
  },
  closed,
)
export type CreateServiceBody = Static<typeof CreateServiceBody>
export const PatchServiceBody = Type.Object(
  {
    name: Type.Optional(Name),
    duration_minutes: Type.Optional(DurationMinutes),
    branch_ids: Type.Optional(BranchIds),
  },
  { ...closed, minProperties: 1 },
)
export type PatchServiceBody = Static<typeof PatchServiceBody>

export const HolidaySettings = Type.Object({
  holiday_id: Type.String({ format: 'uuid' }),
  branch_id: Type.String({ format: 'uuid' }),
  start_date: CalendarDate,
  end_date: CalendarDate,
  reason: Nullable(Type.String()),
  closed: Type.Boolean(),
  hours: SomeHours,
  /** Confirmed appointments of the branch in these days: they stay, and people decide. */
  booked: Type.Integer(),
})
export type HolidaySettings = Static<typeof HolidaySettings>
export const HolidaySettingsList = Type.Object({ success, data: Type.Array(HolidaySettings) })
export const DeletedHoliday = Deleted('holiday_id')

const HolidayEntry = Type.Object(
  {
    start_date: CalendarDate,
    end_date: CalendarDate,
    reason: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 200 })),
    hours: Type.Optional(SomeHours),
  },
  closed,
)
export type HolidayEntry = Static<typeof HolidayEntry>
/** Several entries for several branches at once: a year's public holidays are one request. */
export const AddHolidaysBody = Type.Object(
  {
    branch_ids: Type.Array(Id, { minItems: 1, maxItems: 200 }),
    entries: Type.Array(HolidayEntry, { minItems: 1, maxItems: 50 }),
  },
  closed,
)
export type AddHolidaysBody = Static<typeof AddHolidaysBody>

/** The secret address under which calendar programs read a branch. The address itself is told only when it is made. */
export const FeedAnswer = Type.Object({
  success,
  data: Type.Object({ branch_id: Type.String(), since: Nullable(Timestamp), url: Nullable(Type.String()) }),
})
export type FeedAnswer = Static<typeof FeedAnswer>
export const OpenFeedBody = Type.Object({ renew: Type.Optional(Type.Boolean()) }, closed)
export type OpenFeedBody = Static<typeof OpenFeedBody>
