import { type Static, Type } from 'typebox'
import { closed, ListQuery, Nullable, OneOf, PageEnd, Timestamp } from './common.ts'

export const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export const sessions = ['Morning', 'Afternoon', 'Evening'] as const
export const windowStatuses = ['OPEN', 'CLOSED'] as const
export type Day = (typeof days)[number]
export type Session = (typeof sessions)[number]
export type WindowStatus = (typeof windowStatuses)[number]

const wallClockPattern = '^([01][0-9]|2[0-3]):[0-5][0-9]$'
export const WallClockTime = Type.String({ pattern: wallClockPattern, examples: ['09:30'] })
/** One fault instead of one per branch of a union. */
export const WallClockTimeOrNull = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  pattern: wallClockPattern,
  examples: ['09:30'],
})
export const Places = Type.Integer({ minimum: 0, maximum: 100_000 })
export const Id = Type.String({ format: 'uuid', maxLength: 64 })

/** A weekly window (§2.3). On the wire it is a slot; in code it is a window. */
export const Slot = Type.Object({
  slot_id: Type.String({ description: 'See §2.4: the calendar_id, or `<calendar_id>||<date>` for one date.' }),
  calendar_id: Type.String({ format: 'uuid' }),
  parent_calendar_id: Nullable(Type.String({ format: 'uuid' })),
  branch_id: Type.String({ format: 'uuid' }),
  day: OneOf(days),
  session: OneOf(sessions),
  batch: Nullable(Type.String()),
  start_time: Nullable(WallClockTime),
  end_time: Nullable(WallClockTime),
  appointment_type: Nullable(Type.String({ format: 'uuid' })),
  max_slots: Type.Integer({ minimum: 0 }),
  ai_slots: Type.Integer({ minimum: 0 }),
  filled_slots: Nullable(Type.Integer()),
  available_slots: Nullable(Type.Integer()),
  status: OneOf(windowStatuses),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Slot = Static<typeof Slot>

const batchNames = { minLength: 1, maxLength: 100 }

export const CreateSlotBody = Type.Object(
  {
    branch_id: Id,
    day: OneOf(days),
    session: OneOf(sessions),
    ai_slots: { ...Places, description: 'How many appointments the AI agent may book: a ceiling, not a reservation.' },
    max_slots: Type.Optional({ ...Places, description: 'Total capacity; `ai_slots` when omitted.' }),
    start_time: Type.Optional({
      ...WallClockTime,
      description: "Together with `end_time`; the branch's hours otherwise.",
    }),
    end_time: Type.Optional(WallClockTime),
    batch_name: Type.Optional(
      Type.String({ ...batchNames, description: 'A label that appointments booked here carry as `batch`.' }),
    ),
    appointment_type_id: Type.Optional({ ...Id, description: 'Only this service can be booked here.' }),
    status: Type.Optional(OneOf(windowStatuses, { default: 'OPEN' })),
  },
  closed,
)
export type CreateSlotBody = Static<typeof CreateSlotBody>

export const PatchSlotBody = Type.Object(
  {
    day: Type.Optional(OneOf(days)),
    session: Type.Optional(OneOf(sessions)),
    start_time: Type.Optional({ ...WallClockTimeOrNull, description: "Null for both: the branch's hours again." }),
    end_time: Type.Optional(WallClockTimeOrNull),
    max_slots: Type.Optional(Places),
    ai_slots: Type.Optional(Places),
    batch_name: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], ...batchNames })),
    status: Type.Optional(OneOf(windowStatuses)),
  },
  { ...closed, minProperties: 1 },
)
export type PatchSlotBody = Static<typeof PatchSlotBody>

export const ListSlotsQuery = Type.Object(
  {
    ...ListQuery,
    branch_id: Type.Optional(Id),
    day: Type.Optional(OneOf(days)),
    session: Type.Optional(OneOf(sessions)),
    status: Type.Optional(OneOf(windowStatuses)),
    appointment_type_id: Type.Optional({ ...Id, description: 'Only windows restricted to this service.' }),
  },
  closed,
)
export type ListSlotsQuery = Static<typeof ListSlotsQuery>

export const SlotAnswer = Type.Object({ success: Type.Literal(true), data: Slot })
export const SlotList = Type.Object({ success: Type.Literal(true), data: Type.Array(Slot), ...PageEnd })
export type SlotList = Static<typeof SlotList>
