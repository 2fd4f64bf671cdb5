import { type Static, Type } from 'typebox'
import { days, Id, Places, Slot, sessions, WallClockTime, windowStatuses } from './appointment-slots.ts'
import { CalendarDate, closed, Nullable, OneOf } from './common.ts'

export const availabilityDays = 31
export const regenerateDays = 92
export const bookers = ['api', 'staff', 'ai'] as const
export type BookedBy = (typeof bookers)[number]

export const closedReasons = ['window_closed', 'date_closed', 'holiday', 'past'] as const
export type ClosedReason = (typeof closedReasons)[number]

const WithOffset = Type.String({ format: 'date-time', examples: ['2026-11-16T09:00:00+05:30'] })

/** A window on one date (decisions 7). */
export const SlotOnDate = Type.Object({
  ...Slot.properties,
  slot_id: Type.String({ examples: ['01990000-0000-7000-8000-000000000000||2026-11-16'] }),
  start_time: WallClockTime,
  end_time: WallClockTime,
  date: CalendarDate,
  starts_at: WithOffset,
  ends_at: WithOffset,
  timezone: Type.String({ examples: ['Asia/Kolkata'] }),
  filled_slots: Type.Integer({ description: 'Booked, whoever booked.' }),
  ai_filled_slots: Type.Integer({ description: 'Booked by the AI agent.' }),
  available_slots: Type.Integer({ description: 'Free; a place held in a running call is not.' }),
  ai_available_slots: Type.Integer({ description: 'Free for the AI agent.' }),
  closed_reason: Nullable(OneOf(closedReasons)),
  note: Nullable(Type.String({ description: "The date's own note, or the reason of the holiday that closes it." })),
})
export type SlotOnDate = Static<typeof SlotOnDate>

const dateFilters = {
  branch_id: Id,
  start_date: Type.Optional({ ...CalendarDate, description: 'First date; today at the branch when omitted.' }),
  end_date: Type.Optional({
    ...CalendarDate,
    description: `Last date, inclusive; six days later when omitted. At most ${availabilityDays} days in all.`,
  }),
  date: Type.Optional({ ...CalendarDate, description: 'One date: short for both.' }),
  session: Type.Optional(OneOf(sessions)),
  day: Type.Optional(OneOf(days)),
  appointment_type_id: Type.Optional({ ...Id, description: 'Windows for this service, and those for every service.' }),
  booked_by: Type.Optional(
    OneOf(['ai', 'staff'], { description: 'For whom a place must be free. `ai`: within `ai_slots`.' }),
  ),
}
const flag = (otherwise: boolean) => Type.Optional(Type.Boolean({ default: otherwise }))

export const AvailabilityQuery = Type.Object(
  { ...dateFilters, include_full: flag(false), include_closed: flag(false) },
  closed,
)
export type AvailabilityQuery = Static<typeof AvailabilityQuery>
export const AvailabilityAnswer = Type.Object({ success: Type.Literal(true), data: Type.Array(SlotOnDate) })

export const TrackingQuery = Type.Object(
  { ...dateFilters, include_full: flag(true), include_closed: flag(true) },
  closed,
)
export type TrackingQuery = Static<typeof TrackingQuery>

/** One per window, date and service. */
export const TrackingRecord = Type.Object({
  ...SlotOnDate.properties,
  slot_id: Type.String({ description: '`<calendar_id>||<date>||<appointment_type_id>`.' }),
  appointment_type: Nullable(Type.String({ format: 'uuid' })),
  appointment_type_name: Nullable(Type.String()),
  shared_capacity: Type.Boolean({ description: 'The window is open to every service: they share its places.' }),
  filled_slots: Type.Integer({ description: 'Booked for this service.' }),
  window_filled_slots: Type.Integer({ description: 'Booked in the window on this date, for all services.' }),
  is_override: Type.Boolean({ description: 'Something about this date differs from the rule.' }),
})
export type TrackingRecord = Static<typeof TrackingRecord>
export const TrackingList = Type.Object({ success: Type.Literal(true), data: Type.Array(TrackingRecord) })
export const TrackingAnswer = Type.Object({ success: Type.Literal(true), data: TrackingRecord })

export const PatchTrackingBody = Type.Object(
  {
    max_slots: Type.Optional(Places),
    ai_slots: Type.Optional(Places),
    status: Type.Optional(OneOf(windowStatuses)),
    start_time: Type.Optional(WallClockTime),
    end_time: Type.Optional(WallClockTime),
    note: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 500 })),
    reset: Type.Optional(Type.Boolean({ description: '`true`, alone: the date follows the rule again.' })),
  },
  { ...closed, minProperties: 1 },
)
export type PatchTrackingBody = Static<typeof PatchTrackingBody>

export const RegenerateBody = Type.Object(
  {
    branch_id: Id,
    start_date: CalendarDate,
    end_date: { ...CalendarDate, description: `Inclusive; at most ${regenerateDays} days in all.` },
    calendar_id: Type.Optional({ ...Id, description: 'Only this window.' }),
    keep_overrides: Type.Optional(Type.Boolean({ default: true })),
    dry_run: Type.Optional(Type.Boolean({ default: false, description: 'Say what would happen, and change nothing.' })),
  },
  closed,
)
export type RegenerateBody = Static<typeof RegenerateBody>

export const conflictCodes = ['capacity_below_booked', 'not_on_this_day', 'booked_while_closed'] as const
export const RegenerateConflict = Type.Object({
  slot_id: Type.String(),
  calendar_id: Id,
  date: CalendarDate,
  code: OneOf(conflictCodes),
  message: Type.String(),
  max_slots: Type.Integer(),
  ai_slots: Type.Integer(),
  filled_slots: Type.Integer(),
  ai_filled_slots: Type.Integer(),
})
export type RegenerateConflict = Static<typeof RegenerateConflict>
export const RegenerateAnswer = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    created: Type.Integer(),
    updated: Type.Integer(),
    unchanged: Type.Integer(),
    repaired_counters: Type.Integer(),
    conflicts: Type.Array(RegenerateConflict),
  }),
})
export type RegenerateAnswer = Static<typeof RegenerateAnswer>
