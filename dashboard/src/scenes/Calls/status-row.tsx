import { UnstyledButton } from '@mantine/core'
import type { CallStatus } from '@parley/contract/calls'
import type { CallCounts } from '@parley/contract/dashboard-calls'
import { CallMark } from './call-mark.tsx'
import { statuses } from './call-words.ts'

interface StatusRowProps {
  counts: CallCounts | undefined
  chosen: string | undefined
  onToggle: (status: CallStatus) => void
}

/** How many calls are in which state; pressing one shows only those. */
export function StatusRow({ counts, chosen, onToggle }: StatusRowProps) {
  const pressed = chosen?.split(',') ?? []
  const shown = statuses.filter((status) => (counts?.by_status[status] ?? 0) > 0 || pressed.includes(status))
  if (shown.length === 0) return null
  return (
    <div>
      <fieldset className="status-row">
        <legend className="sr-only">Show only calls that are</legend>
        {shown.map((status) => (
          <UnstyledButton
            key={status}
            className="status-chip"
            aria-pressed={pressed.includes(status)}
            onClick={() => onToggle(status)}
          >
            <CallMark status={status} />
            <span className="status-count">{(counts?.by_status[status] ?? 0).toLocaleString('en')}</span>
          </UnstyledButton>
        ))}
      </fieldset>
      {counts?.newest_only != null && (
        <p className="dimmed small">Counted over the newest {counts.newest_only.toLocaleString('en')} calls.</p>
      )}
    </div>
  )
}
