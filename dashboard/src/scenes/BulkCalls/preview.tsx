import { Text } from '@mantine/core'
import { Mark } from '../../ui/mark.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { numberText } from '../Calls/call-words.ts'
import type { CallRow } from './rows.ts'

const mostShown = 100

const columns: Column<CallRow>[] = [
  { label: 'Row', cell: (row) => row.line },
  { label: 'Number', cell: (row) => <span className="foreign">{numberText(row.number) || '–'}</span> },
  { label: 'Name', cell: (row) => <span className="foreign">{row.name || '–'}</span> },
  { label: 'When', cell: (row) => <span className="foreign">{row.body.scheduled_time ?? 'Now'}</span>, wideOnly: true },
  { label: 'Check', cell: (row) => <Verdict row={row} /> },
]

function Verdict({ row: { faults, notes } }: { row: CallRow }) {
  return (
    <div className="verdict">
      {faults.map((fault) => (
        <Mark key={fault} tone="bad">
          {fault}
        </Mark>
      ))}
      {notes.map((note) => (
        <Mark key={note} tone="warn">
          {note}
        </Mark>
      ))}
      {faults.length + notes.length === 0 && <Mark tone="good">Ready</Mark>}
    </div>
  )
}

/** Faulty rows first, then odd ones, then the rest. */
export const inOrderOfTrouble = (rows: readonly CallRow[]): CallRow[] => {
  const weight = ({ faults, notes }: CallRow) => (faults.length > 0 ? 0 : notes.length > 0 ? 1 : 2)
  return rows.toSorted((a, b) => weight(a) - weight(b) || a.line - b.line)
}

export function Preview({ rows }: { rows: readonly CallRow[] }) {
  const shown = inOrderOfTrouble(rows).slice(0, mostShown)
  return (
    <>
      <Table label="Rows of the file" columns={columns} rows={shown} keyOf={(row) => String(row.line)} />
      {rows.length > shown.length && (
        <Text size="sm" c="dimmed" mt="sm">
          The first {mostShown} of {rows.length.toLocaleString('en')} rows are shown, those with faults before all
          others.
        </Text>
      )}
    </>
  )
}
