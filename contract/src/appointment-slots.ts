import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Timestamp } from './common.ts'

export const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export const sessions = ['Morning', 'Afternoon', 'Evening'] as const
export const windowStatuses = ['OPEN', 'CLOSED'] as const

export const WallClockTime = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', examples: ['09:30'] })

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
