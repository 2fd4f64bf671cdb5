import { Text } from '@mantine/core'
import type { LiveCalls as Live, LiveCall } from '@parley/contract/home'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Mark } from '../../ui/mark.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Table } from '../../ui/table.tsx'
import { clockSince, counted, stateWords } from './call-words.ts'

/** A clock that ticks while somebody is on the line. */
function useSeconds(isOn: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isOn])
  return now
}

export function LiveCalls({ live }: { live: Live }) {
  const now = useSeconds(live.calls.length > 0)
  const columns = [
    {
      label: 'Who',
      cell: (call: LiveCall) => (
        <Link to="/calls/$callId" params={{ callId: call.call_id }}>
          {call.contact_name ?? call.contact_number}
        </Link>
      ),
    },
    {
      label: 'State',
      cell: ({ status }: LiveCall) => <Mark tone={stateWords[status].tone}>{stateWords[status].words}</Mark>,
    },
    { label: 'Agent', cell: (call: LiveCall) => call.agent_name },
    {
      label: 'For',
      align: 'end' as const,
      cell: (call: LiveCall) => clockSince(call.answered_at ?? call.triggered_at, now),
    },
  ]
  return (
    <Panel title="Live now">
      {live.calls.length === 0 ? (
        <Text c="dimmed">Nobody is on the phone.</Text>
      ) : (
        <Table label="Live calls" columns={columns} rows={live.calls} keyOf={(call) => call.call_id} />
      )}
      {(live.waiting > 0 || live.total > live.calls.length) && (
        <Text size="sm" c="dimmed" mt="xs">
          {counted(live.total, 'call')} in the air, {live.waiting} waiting for a line.
        </Text>
      )}
    </Panel>
  )
}
