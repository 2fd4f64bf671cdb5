import { Button } from '@mantine/core'
import { longDay, shortDay } from '../../calendar/dates.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { CellMark } from './cell-mark.tsx'
import { Fill } from './fill.tsx'
import { type Cell, cellWords, nameOf } from './week.ts'
import type { WeekViewProps } from './week-grid.tsx'

/** The same week, line by line: for phones and for those who would rather read. */
export function WeekTable({ cells, onOpen }: Pick<WeekViewProps, 'cells' | 'onOpen'>) {
  const columns: Column<Cell>[] = [
    {
      label: 'When',
      cell: (cell) => (
        <span>
          <b>{shortDay(cell.date)}</b> {cell.start}–{cell.end}
        </span>
      ),
    },
    { label: 'Window', cell: nameOf },
    { label: 'Booked', cell: (cell) => <Fill cell={cell} /> },
    {
      label: 'Status',
      cell: (cell) => (
        <span className="week-status">
          <CellMark cell={cell} />
          {cell.note && <span className="dimmed">{cell.note}</span>}
        </span>
      ),
    },
    {
      label: 'Details',
      align: 'end',
      cell: (cell) => (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Open ${cellWords(cell, longDay(cell.date))}`}
          onClick={() => onOpen(cell)}
        >
          Open
        </Button>
      ),
    },
  ]
  return <Table label="Week" columns={columns} rows={cells} keyOf={(cell) => cell.slotId} />
}
