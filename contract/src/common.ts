import { type Static, type TSchema, Type } from 'typebox'

/** Unknown fields are refused and named: a typo must not place a wrong call (decisions 1). */
export const closed = { additionalProperties: false } as const

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const Timestamp = Type.String({
  format: 'date-time',
  description: 'ISO 8601, UTC, with milliseconds and `Z`.',
  examples: ['2026-11-15T09:30:00.000Z'],
})

/** Only a date: what day it is somewhere depends on no offset. That the day exists is checked where it can be explained. */
export const CalendarDate = Type.String({
  format: 'date',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
  description: '`YYYY-MM-DD`, without a time.',
  examples: ['2026-11-16'],
})

export const ListQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'How many items a page holds.' }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 500, description: 'The `next_cursor` of the page before. Opaque: pass it on unchanged.' }),
  ),
}

export const PageEnd = {
  has_more: Type.Boolean(),
  next_cursor: Nullable(Type.String()),
}

export const plans = ['base', 'professional', 'enterprise'] as const
export type Plan = (typeof plans)[number]

export const roles = ['owner', 'admin', 'staff', 'viewer'] as const
export type Role = (typeof roles)[number]

/** A closed list of words as one JSON Schema `enum`: one clear fault instead of a fault per word. */
export const OneOf = <const T extends readonly string[]>(
  values: T,
  options: { description?: string; default?: T[number] } = {},
) => Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })

export type { Static }
