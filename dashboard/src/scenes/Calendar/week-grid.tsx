import { type KeyboardEvent, useRef, useState } from 'react'
import { longDay, shortDay } from '../../calendar/dates.ts'
import { Icon } from '../../ui/icons.tsx'
import './calendar.css'
import { CellMark } from './cell-mark.tsx'
import { Fill } from './fill.tsx'
import { type Cell, cellsAt, cellWords, nextSpot, type Spot, sessionRows } from './week.ts'

export interface WeekViewProps {
  dates: readonly string[]
  today: string
  cells: readonly Cell[]
  /** Reason of the holiday that closes the branch, by date. */
  holidays: ReadonlyMap<string, string>
  onOpen: (cell: Cell, what?: 'book' | 'override') => void
  /** Left out for those who may only look. */
  onAdd?: ((date: string, session: Cell['session']) => void) | undefined
}

const arrows = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']

/** Days across, sessions down. One stop for Tab; arrows move inside, Enter opens, N books, O changes the date. */
export function WeekGrid({ dates, today, cells, holidays, onOpen, onAdd }: WeekViewProps) {
  const table = useRef<HTMLTableElement>(null)
  const [spot, setSpot] = useState<Spot>({ row: 0, column: Math.max(0, dates.indexOf(today)), index: 0 })
  const layout = sessionRows.map((session) =>
    dates.map((date) => cellsAt(cells, session, date).length || (onAdd ? 1 : 0)),
  )
  const reachable = reachableFrom(layout, spot)
  const focus = (next: Spot) => {
    setSpot(next)
    table.current?.querySelector<HTMLElement>(`[data-spot="${keyOf(next)}"]`)?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!arrows.includes(event.key)) return
    event.preventDefault()
    focus(nextSpot(layout, reachable, event.key))
  }
  const stop = (row: number, column: number, index: number) => {
    const here = { row, column, index }
    return {
      'data-spot': keyOf(here),
      tabIndex: keyOf(here) === keyOf(reachable) ? 0 : -1,
      onFocus: () => setSpot(here),
    }
  }
  return (
    <table className="week" ref={table} aria-label="Week" onKeyDown={onKeyDown}>
      <thead>
        <tr>
          <td />
          {dates.map((date) => (
            <th key={date} scope="col" data-today={date === today}>
              {shortDay(date)}
              {date === today && <span className="week-note">Today</span>}
              {holidays.has(date) && <span className="week-note">{holidays.get(date) || 'Holiday'}</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {sessionRows.map((session, row) => (
          <tr key={session}>
            <th scope="row">{session}</th>
            {dates.map((date, column) => {
              const here = cellsAt(cells, session, date)
              return (
                <td key={date} data-today={date === today}>
                  {here.map((cell, index) => (
                    <Card key={cell.slotId} cell={cell} stop={stop(row, column, index)} onOpen={onOpen} />
                  ))}
                  {here.length === 0 && onAdd && (
                    <button
                      type="button"
                      className="week-add"
                      aria-label={`Add a window: ${longDay(date)}, ${session}`}
                      onClick={() => onAdd(date, session)}
                      {...stop(row, column, 0)}
                    >
                      <Icon name="plus" size={16} />
                    </button>
                  )}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const keyOf = ({ row, column, index }: Spot): string => `${row}.${column}.${index}`

/** What had the focus may be gone since: then the first that can have it. */
function reachableFrom(layout: readonly number[][], spot: Spot): Spot {
  const count = layout[spot.row]?.[spot.column] ?? 0
  if (count > 0) return { ...spot, index: Math.min(spot.index, count - 1) }
  for (const [row, columns] of layout.entries()) {
    const column = columns.findIndex((each) => each > 0)
    if (column >= 0) return { row, column, index: 0 }
  }
  return spot
}

interface CardProps {
  cell: Cell
  stop: { tabIndex: number; onFocus: () => void }
  onOpen: WeekViewProps['onOpen']
}

function Card({ cell, stop, onOpen }: CardProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const what = ({ n: 'book', o: 'override' } as const)[event.key.toLowerCase()]
    if (!what) return
    event.preventDefault()
    // Otherwise g and n would also go somewhere.
    event.stopPropagation()
    onOpen(cell, what)
  }
  return (
    <button
      type="button"
      className="week-cell"
      data-closed={cell.closedReason !== null}
      data-override={cell.isOverride}
      aria-label={cellWords(cell, longDay(cell.date))}
      onClick={() => onOpen(cell)}
      onKeyDown={onKeyDown}
      {...stop}
    >
      {cell.label && <span className="week-label">{cell.label}</span>}
      <span className="week-hours">
        {cell.start}–{cell.end}
      </span>
      <Fill cell={cell} />
      <CellMark cell={cell} />
      {cell.note && <span className="week-remark">{cell.note}</span>}
    </button>
  )
}
