import type { CallTurn } from '@parley/contract/call-turns'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../api.ts'
import { Panel } from '../../ui/panel.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { clockText } from '../Calls/call-words.ts'

const ms = (value: number) => `${value} ms`
const columns: Column<CallTurn>[] = [
  { label: 'At', cell: ({ seconds }) => clockText(seconds) },
  { label: 'Waited', align: 'end', cell: ({ total_ms }) => <strong>{ms(total_ms)}</strong> },
  { label: 'Sure they had finished', align: 'end', cell: ({ endpointing_ms }) => ms(endpointing_ms), wideOnly: true },
  { label: 'Heard', align: 'end', cell: ({ stt_ms }) => ms(stt_ms) },
  { label: 'Thought', align: 'end', cell: ({ brain_ms }) => ms(brain_ms) },
  { label: 'Began to speak', align: 'end', cell: ({ tts_ms }) => ms(tts_ms) },
]

/** How long the other side waited for each answer; only real lines have it. */
export function ReplyTimes({ callId }: { callId: string }) {
  const { data = [] } = useQuery({
    queryKey: ['calls', 'turns', callId],
    queryFn: ({ signal }) => read<CallTurn[]>(`/api/calls/${encodeURIComponent(callId)}/turns`, {}, signal),
  })
  if (data.length === 0) return null
  return (
    <Panel title="Reply times">
      <Table label="Reply times" columns={columns} rows={data} keyOf={({ seconds }) => String(seconds)} />
    </Panel>
  )
}
