import { Checkbox } from '@mantine/core'
import type { CallLine } from '@parley/contract/dashboard-calls'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Column, Table } from '../../ui/table.tsx'
import { When } from '../../ui/when.tsx'
import { CallMark, SaidMark } from './call-mark.tsx'
import {
  directionWords,
  dispositionWords,
  failureWords,
  isPending,
  lengthText,
  numberText,
  sentimentWords,
  whoText,
} from './call-words.ts'
import { RowActions } from './row-actions.tsx'

interface CallsTableProps {
  calls: readonly CallLine[]
  mayWork: boolean
  selected: ReadonlySet<string>
  onSelect: (callId: string, on: boolean) => void
  onCancel: (call: CallLine) => void
  onErase: (call: CallLine) => void
}

function Who({ call }: { call: CallLine }) {
  return (
    <div className="who">
      <Link to="/calls/$callId" params={{ callId: call.call_id }} className="who-name">
        {whoText(call)}
      </Link>
      {call.contact_name && <span className="dimmed small">{numberText(call.contact_number)}</span>}
      {call.excerpt && <q className="excerpt">{call.excerpt}</q>}
    </div>
  )
}

const Two = ({ first, second }: { first: string; second: ReactNode }) => (
  <div className="who">
    <span>{first}</span>
    {second && <span className="dimmed small">{second}</span>}
  </div>
)

const outcome = (call: CallLine): string => {
  if (call.disposition) return dispositionWords[call.disposition]
  return call.error_code ? failureWords[call.error_code].title : '–'
}

export function CallsTable({ calls, mayWork, selected, onSelect, onCancel, onErase }: CallsTableProps) {
  const select: Column<CallLine> = {
    label: 'Select',
    wideOnly: true,
    cell: (call) =>
      isPending(call.status) ? (
        <Checkbox
          aria-label={`Select the call with ${whoText(call)}`}
          checked={selected.has(call.call_id)}
          onChange={(event) => onSelect(call.call_id, event.currentTarget.checked)}
        />
      ) : null,
  }
  const columns: Column<CallLine>[] = [
    ...(mayWork ? [select] : []),
    { label: 'Status', cell: (call) => <CallMark status={call.status} /> },
    { label: 'With', cell: (call) => <Who call={call} /> },
    {
      label: 'Agent',
      cell: (call) => <Two first={call.agent_name} second={directionWords[call.call_direction]} />,
    },
    { label: 'Created', cell: (call) => <When at={call.created_at} /> },
    { label: 'Scheduled', cell: (call) => <When at={call.scheduled_at} />, wideOnly: true },
    { label: 'Length', cell: (call) => lengthText(call.call_duration_seconds) },
    {
      label: 'Outcome and mood',
      cell: (call) => (
        <Two first={outcome(call)} second={call.sentiment && <SaidMark said={sentimentWords[call.sentiment]} />} />
      ),
    },
    {
      label: 'Actions',
      cell: (call) => <RowActions call={call} onCancel={() => onCancel(call)} onErase={() => onErase(call)} />,
    },
  ]
  return <Table label="Calls" columns={columns} rows={calls} keyOf={(call) => call.call_id} />
}
