import { NativeSelect, Text } from '@mantine/core'
import type { HookRequest } from '@parley/contract/hooks'
import { Link } from '@tanstack/react-router'
import { CopyId } from '../../ui/copy-id.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Mark } from '../../ui/mark.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { When } from '../../ui/when.tsx'
import { useFilters } from '../../use-filters.ts'
import { usePages } from '../../use-pages.ts'
import { actionWords, resultOf } from './hook-words.ts'

const choices = [
  { value: '', label: 'All results' },
  { value: 'accepted', label: 'Accepted' },
  { value: 'refused', label: 'Refused' },
]

const columns: Column<HookRequest>[] = [
  { label: 'Time', cell: (request) => <When at={request.at} /> },
  { label: 'Asked to', cell: (request) => actionWords(request.action) },
  {
    label: 'Result',
    cell: (request) => {
      const { tone, words } = resultOf(request)
      return (
        <Mark tone={tone}>
          {words} · {request.status}
        </Mark>
      )
    },
  },
  {
    label: 'Why',
    cell: ({ reason, code }) =>
      reason === null ? (
        <span className="dimmed">–</span>
      ) : (
        <div>
          {reason} {code && <code className="dimmed">{code}</code>}
        </div>
      ),
  },
  {
    label: 'Call',
    cell: ({ call_id }) =>
      call_id === null ? (
        <span className="dimmed">–</span>
      ) : (
        <Link className="link" to="/calls/$callId" params={{ callId: call_id }}>
          Open the call
        </Link>
      ),
  },
  { label: 'Request ID', cell: ({ request_id }) => <CopyId id={request_id} label="request ID" />, wideOnly: true },
]

export function HookRequests({ curl }: { curl: string }) {
  const {
    filters: { result = '' },
    set: change,
  } = useFilters()
  const query = usePages<HookRequest>(['hook', 'requests', result], '/api/hook/requests', { result })
  return (
    <Panel
      title="Recent requests"
      actions={
        <NativeSelect
          aria-label="Result"
          size="xs"
          data={choices}
          value={result}
          onChange={(event) => change({ result: event.currentTarget.value })}
        />
      }
    >
      <Loaded query={query}>
        {(rows) => {
          if (rows.length === 0 && result !== '') return <Text c="dimmed">None of these lately.</Text>
          if (rows.length === 0) {
            return (
              <Empty
                title="Nothing has come in yet"
                text="Send a first request with your URL. It appears here by itself."
                curl={curl}
              />
            )
          }
          return (
            <>
              <Table label="Recent requests" columns={columns} rows={rows} keyOf={(request) => request.request_id} />
              <MoreButton list={query} />
            </>
          )
        }}
      </Loaded>
      <Text size="xs" c="dimmed" mt="sm">
        The last 1,000 of the last 30 days. Who was called is not kept here.
      </Text>
    </Panel>
  )
}
