import { Button } from '@mantine/core'
import type { CallLine } from '@parley/contract/dashboard-calls'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { curlOf } from '../../curl.ts'
import { useMay } from '../../session.ts'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { isPending, whoText } from './call-words.ts'
import './calls.css'
import { CallsTable } from './calls-table.tsx'
import { CancelCalls } from './cancel-calls.tsx'
import { EraseCall } from './erase-call.tsx'
import { FilterBar } from './filter-bar.tsx'
import { type Filters, readFilters, type Search, toggleStatus } from './filters.ts'
import { StatusRow } from './status-row.tsx'
import { useCallCounts, useCalls } from './use-calls.ts'

const exampleCurl = () =>
  curlOf({ method: 'POST', path: '/v1/calls', body: { agent_id: 'agt_…', user_number: '+15005550001' } })

export function Calls() {
  const filters = readFilters(useSearch({ strict: false }) as Search)
  const navigate = useNavigate()
  const mayWork = useMay('work')
  const calls = useCalls(filters)
  const counts = useCallCounts(filters)
  const set = (change: Filters) =>
    void navigate({ to: '/calls', search: { ...filters, ...change } as Search, replace: true })
  const isFiltered = Object.keys(filters).length > 0
  return (
    <Page
      title="Calls"
      lead="Everything that rang, rings and will ring. States change here by themselves."
      actions={
        mayWork && (
          <>
            <Button renderRoot={(props) => <Link to="/calls/bulk" {...props} />} variant="default">
              Many from a file
            </Button>
            <Button
              renderRoot={(props) => <Link to="/calls/new" {...props} />}
              leftSection={<Icon name="plus" size={16} />}
            >
              New call
            </Button>
          </>
        )
      }
    >
      <StatusRow
        counts={counts.data}
        chosen={filters.status}
        onToggle={(status) => set({ status: toggleStatus(filters.status, status) ?? '' })}
      />
      <Panel>
        <FilterBar
          filters={filters}
          onChange={(name, value) => set({ [name]: value })}
          onClear={() => void navigate({ to: '/calls', search: {}, replace: true })}
        />
        <Loaded query={calls} rows={8}>
          {(lines) => <Lines lines={lines} isFiltered={isFiltered} hasMore={calls.hasNextPage} />}
        </Loaded>
        {calls.hasNextPage && (
          <Button
            variant="default"
            mt="md"
            loading={calls.isFetchingNextPage}
            onClick={() => void calls.fetchNextPage()}
          >
            {calls.data?.length === 0 ? 'Look further back' : 'Load more'}
          </Button>
        )}
      </Panel>
    </Page>
  )
}

interface LinesProps {
  lines: readonly CallLine[]
  isFiltered: boolean
  hasMore: boolean
}

function Lines({ lines, isFiltered, hasMore }: LinesProps) {
  const mayWork = useMay('work')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [cancelling, setCancelling] = useState<readonly string[] | null>(null)
  const [erasing, setErasing] = useState<CallLine | null>(null)
  // What has begun meanwhile cannot be cancelled any more, and falls out of the selection.
  const chosen = lines.filter((call) => isPending(call.status) && selected.has(call.call_id))
  const onSelect = (callId: string, on: boolean) => {
    const next = new Set(selected)
    if (on) next.add(callId)
    else next.delete(callId)
    setSelected(next)
  }
  return (
    <>
      {chosen.length > 0 && (
        <div className="chosen" role="status">
          <span>{chosen.length === 1 ? '1 call selected' : `${chosen.length} calls selected`}</span>
          <Button size="xs" color="red" onClick={() => setCancelling(chosen.map((call) => call.call_id))}>
            Cancel selected
          </Button>
        </div>
      )}
      {lines.length === 0 ? (
        <Nothing isFiltered={isFiltered} hasMore={hasMore} />
      ) : (
        <div className="calls-table">
          <CallsTable
            calls={lines}
            mayWork={mayWork}
            selected={selected}
            onSelect={onSelect}
            onCancel={(call) => setCancelling([call.call_id])}
            onErase={setErasing}
          />
        </div>
      )}
      {cancelling && <CancelCalls callIds={cancelling} onClose={() => setCancelling(null)} />}
      {erasing && <EraseCall callId={erasing.call_id} who={whoText(erasing)} onClose={() => setErasing(null)} />}
    </>
  )
}

function Nothing({ isFiltered, hasMore }: { isFiltered: boolean; hasMore: boolean }) {
  const mayWork = useMay('work')
  if (isFiltered) {
    const text = hasMore ? 'Nothing among the newest calls. Older ones are not searched yet.' : 'Try fewer filters.'
    return <Empty title="No call matches" text={text} />
  }
  return (
    <Empty
      title="Place your first call"
      text="An agent calls the number, talks, and reports the outcome here."
      action={mayWork && <Button renderRoot={(props) => <Link to="/calls/new" {...props} />}>Place a call</Button>}
      curl={exampleCurl()}
    />
  )
}
