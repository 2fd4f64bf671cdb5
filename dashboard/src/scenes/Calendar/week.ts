// A week of a branch: what the server tells per window, date and service, made into what the grid shows.
import { type Session, sessions } from '@parley/contract/appointment-slots'
import type { ClosedReason, TrackingRecord } from '@parley/contract/slot-dates'
import type { IconName } from '../../ui/icons.tsx'
import type { Tone } from '../../ui/mark.tsx'

/** A window on one date. */
export interface Cell {
  /** `<calendar_id>||<date>` */
  slotId: string
  calendarId: string
  date: string
  session: Session
  start: string
  end: string
  batch: string | null
  /** The service it is for alone; null: any. */
  serviceId: string | null
  serviceName: string | null
  /** Batch and service. */
  label: string
  max: number
  ai: number
  filled: number
  aiFilled: number
  free: number
  aiFree: number
  closedReason: ClosedReason | null
  note: string | null
  isOverride: boolean
  timezone: string
}

/** One per window and date, whatever the number of services. Tracking shows past dates as planned: here they are over. */
export function cellsOf(records: readonly TrackingRecord[], now: Date): Cell[] {
  const cells = new Map<string, Cell>()
  for (const record of records) {
    const slotId = `${record.calendar_id}||${record.date}`
    if (cells.has(slotId)) continue
    const isOver = Date.parse(record.ends_at) <= now.getTime()
    const serviceName = record.shared_capacity ? null : record.appointment_type_name
    cells.set(slotId, {
      slotId,
      calendarId: record.calendar_id,
      date: record.date,
      session: record.session,
      start: record.start_time,
      end: record.end_time,
      batch: record.batch,
      serviceId: record.shared_capacity ? null : record.appointment_type,
      serviceName,
      label: [record.batch, serviceName].filter((part) => part).join(' · '),
      max: record.max_slots,
      ai: record.ai_slots,
      filled: record.window_filled_slots,
      aiFilled: record.ai_filled_slots,
      free: isOver ? 0 : record.available_slots,
      aiFree: isOver ? 0 : record.ai_available_slots,
      closedReason: isOver ? 'past' : record.closed_reason,
      note: record.note,
      isOverride: record.is_override,
      timezone: record.timezone,
    })
  }
  return [...cells.values()]
}

/** Windows that are switched off stay in the rules for ever: they are shown when asked for, or when somebody is booked. */
export const shownCells = (cells: readonly Cell[], withDisabled: boolean): Cell[] =>
  cells.filter((each) => withDisabled || each.closedReason !== 'window_closed' || each.filled > 0)

export const cellsAt = (cells: readonly Cell[], session: Session, date: string): Cell[] =>
  cells.filter((each) => each.session === session && each.date === date)

export interface State {
  word: string
  tone: Tone
  icon: IconName
}
const closedStates: Record<ClosedReason, State> = {
  window_closed: { word: 'Switched off', tone: 'calm', icon: 'pause' },
  date_closed: { word: 'Closed', tone: 'calm', icon: 'close' },
  holiday: { word: 'Holiday', tone: 'calm', icon: 'sun' },
  past: { word: 'Over', tone: 'calm', icon: 'clock' },
}
export function stateOf(cell: Cell): State {
  if (cell.closedReason) return closedStates[cell.closedReason]
  if (cell.free === 0) return { word: 'Full', tone: 'warn', icon: 'alert' }
  return { word: 'Open', tone: 'good', icon: 'check' }
}

export const nameOf = (cell: Cell): string => [cell.session, cell.label].filter((part) => part).join(' · ')

/** What a screen reader hears of a cell. */
export const cellWords = (cell: Cell, day: string): string =>
  [
    day,
    nameOf(cell),
    `${cell.start} to ${cell.end}`,
    `${cell.filled} of ${cell.max} booked`,
    `AI ${cell.aiFilled} of ${cell.ai}`,
    stateOf(cell).word,
    cell.note,
    cell.isOverride ? 'differs from the weekly rule' : null,
  ]
    .filter((part) => part)
    .join(', ')

export interface Spot {
  row: number
  column: number
  index: number
}
/** How many things can be focused in each cell of the grid, row by row. */
export type Layout = readonly (readonly number[])[]

const at = (layout: Layout, row: number, column: number): number => layout[row]?.[column] ?? 0

/** Where an arrow key leads; empty cells are passed over, and at the edge one stays. */
export function nextSpot(layout: Layout, from: Spot, key: string): Spot {
  const steps: Record<string, [number, number]> = {
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
  }
  const step = steps[key]
  if (!step) return from
  const [down, right] = step
  const inside = from.index + down
  if (down !== 0 && inside >= 0 && inside < at(layout, from.row, from.column)) return { ...from, index: inside }
  let [row, column] = [from.row + down, from.column + right]
  while (row >= 0 && row < layout.length && column >= 0 && column < (layout[row]?.length ?? 0)) {
    const count = at(layout, row, column)
    if (count > 0) {
      const index = down === -1 ? count - 1 : down === 1 ? 0 : Math.min(from.index, count - 1)
      return { row, column, index }
    }
    row += down
    column += right
  }
  return from
}

export const sessionRows = sessions
