import { fault, validationError } from './errors.ts'
import { isUuid } from './ids.ts'

/** A place in a list ordered by time, newest or oldest first. It stays valid when the row it was taken from is gone. */
export type Position = { at: Date; id: string }

export const encodeCursor = ({ at, id }: Position): string => Buffer.from(`${at.getTime()}.${id}`).toString('base64url')

export function decodeCursor(cursor: string): Position {
  const match = /^(\d{1,15})\.([\w-]{1,64})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))
  if (!match) throw notACursor()
  return { at: new Date(Number(match[1])), id: String(match[2]) }
}

const notACursor = () =>
  validationError([fault('cursor', 'format', 'Pass the next_cursor of the page before, unchanged.')])

/** For lists of things with UUIDs: the database would not take another id for one. */
export function decodeUuidCursor(cursor: string): Position {
  const position = decodeCursor(cursor)
  if (!isUuid(position.id)) throw notACursor()
  return position
}

export type Page<Item> = { items: Item[]; nextCursor: string | null }

/** `rows` holds one more than the page when there is more to come. */
export function toPage<Item>(rows: Item[], limit: number, positionOf: (item: Item) => Position): Page<Item> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, nextCursor: rows.length > limit && last ? encodeCursor(positionOf(last)) : null }
}
