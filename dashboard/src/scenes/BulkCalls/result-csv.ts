import { contentKey } from '../../content-key.ts'
import { writeCsv } from './csv.ts'
import type { CallRow } from './rows.ts'
import type { Sent } from './run.ts'

/** The file as it was and the row in it: the same upload again places no call a second time. Another agent is another wish. */
export const rowKey = (fileKey: string, { line, body }: CallRow): string =>
  `bulk-${fileKey}-${line}-${contentKey(JSON.stringify(body))}`

const outcomeCells = (sent: Sent | undefined): [string, string, string] => {
  if (!sent) return ['not sent', '', '']
  const { outcome } = sent
  if (outcome.kind === 'refused') return ['refused', '', outcome.message]
  return [outcome.replayed ? 'placed before' : 'placed', outcome.callId, '']
}

/** Every row of the file in its order: what became of it. */
export function resultCsv(rows: readonly CallRow[], sent: readonly Sent[]): string {
  const byLine = new Map(sent.map((each) => [each.row.line, each]))
  const lines = rows.map((row) => {
    const [status, callId, error] =
      row.faults.length > 0 ? ['faulty', '', row.faults.join(' ')] : outcomeCells(byLine.get(row.line))
    return [String(row.line), row.number, row.name, status, callId, error]
  })
  return writeCsv([['row', 'contact_number', 'contact_name', 'status', 'call_id', 'error'], ...lines])
}

export const templateCsv = (): string =>
  writeCsv([
    ['contact_number', 'contact_name', 'email', 'language', 'scheduled_time', 'order_id'],
    ['+15005550001', 'Maya Rao', 'maya@example.com', 'en', '', 'A-1042'],
  ])
