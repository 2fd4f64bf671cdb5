import { type Static, Type } from 'typebox'
import { closed, ListQuery, PageEnd, Timestamp } from './common.ts'

/** The dashboard's API for numbers that are never dialled. */

export const DoNotCallEntry = Type.Object({ number: Type.String(), created_at: Timestamp })
export type DoNotCallEntry = Static<typeof DoNotCallEntry>

export const DoNotCallQuery = Type.Object(
  { ...ListQuery, q: Type.Optional(Type.String({ pattern: '^\\+?[0-9]{1,15}$', description: 'A part of a number.' })) },
  closed,
)
export type DoNotCallQuery = Static<typeof DoNotCallQuery>
export const DoNotCallList = Type.Object({ success: Type.Literal(true), data: Type.Array(DoNotCallEntry), ...PageEnd })

export const mostNumbersAtOnce = 5_000
export const DoNotCallBody = Type.Object(
  { numbers: Type.Array(Type.String({ maxLength: 40 }), { minItems: 1, maxItems: mostNumbersAtOnce }) },
  closed,
)
export type DoNotCallBody = Static<typeof DoNotCallBody>
export const AddedNumbers = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({ added: Type.Integer(), already_there: Type.Integer() }),
})
export type AddedNumbers = Static<typeof AddedNumbers>['data']
