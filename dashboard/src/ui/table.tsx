import type { ReactNode } from 'react'

export interface Column<Row> {
  /** Names the column, and on a phone the line. */
  label: string
  cell: (row: Row) => ReactNode
  /** Too much for a phone. */
  wideOnly?: boolean
  align?: 'end'
}

interface TableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
}

/** A table where there is room, a list of cards on a phone: the same markup, so a screen reader hears the same. */
export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <table className="table" aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.label} scope="col" data-align={column.align} data-wide={column.wideOnly}>
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column) => (
              <td key={column.label} data-label={column.label} data-align={column.align} data-wide={column.wideOnly}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
