// From the text of a file to rows that can be judged.
import { contentKey } from '../../content-key.ts'
import { type Target, targetsOf } from './columns.ts'
import { type CsvRecord, parseCsv } from './csv.ts'

export const mostRows = 5_000

export interface ReadFile {
  /** Stands for the content: the key of every row is made of it. */
  key: string
  headings: string[]
  targets: Target[]
  records: CsvRecord[]
}

export function readFile(text: string): ReadFile | { fault: string } {
  const csv = parseCsv(text)
  if ('fault' in csv) return csv
  const [head, ...records] = csv.records
  if (!head) return { fault: 'There is nothing in it. The first row names the columns.' }
  if (records.length === 0) return { fault: 'There is only one row. The first row names the columns, calls follow.' }
  if (records.length > mostRows) {
    return { fault: `There are ${records.length.toLocaleString('en')} rows. Send at most 5,000 at once.` }
  }
  return { key: contentKey(text), headings: head.cells, targets: targetsOf(head.cells), records }
}
