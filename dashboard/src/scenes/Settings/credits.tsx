import { Switch, Text } from '@mantine/core'
import type { CreditEntry, CreditKind, Usage } from '@parley/contract/organisation'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { read } from '../../api.ts'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { When } from '../../ui/when.tsx'
import { usePages } from '../../use-pages.ts'

/** Held and released credits come and go; granted and charged ones stay so. */
const kinds: Record<CreditKind, { words: string; sign: string }> = {
  grant: { words: 'Added', sign: '+' },
  charge: { words: 'Used by a call', sign: '−' },
  hold: { words: 'Held while a call is placed', sign: '' },
  release: { words: 'Hold given back', sign: '' },
}

const columns: Column<CreditEntry>[] = [
  { label: 'When', cell: (entry) => <When at={entry.created_at} /> },
  { label: 'What', cell: (entry) => kinds[entry.kind].words },
  {
    label: 'Call',
    cell: ({ call_id }) =>
      call_id === null ? (
        '–'
      ) : (
        <Link to="/calls/$callId" params={{ callId: call_id }}>
          Open
        </Link>
      ),
  },
  { label: 'Credits', align: 'end', cell: (entry) => `${kinds[entry.kind].sign}${entry.amount.toLocaleString('en')}` },
]

export function Credits() {
  const [show, setShow] = useState<'settled' | 'all'>('settled')
  const usage = useQuery({
    queryKey: ['hook', 'usage'],
    queryFn: ({ signal }) => read<Usage>('/api/organisation/usage', {}, signal),
  })
  const entries = usePages<CreditEntry>(['calls', 'credits', show], '/api/credits/entries', { show })
  const credits = usage.data?.credits
  return (
    <Panel
      title="Credits"
      actions={
        <Switch
          size="sm"
          label="Show holds"
          checked={show === 'all'}
          onChange={(event) => setShow(event.currentTarget.checked ? 'all' : 'settled')}
        />
      }
    >
      {credits && (
        <Text mb="sm">
          <strong>{(credits.balance - credits.held).toLocaleString('en')}</strong> free, {credits.held} held by calls in
          the air. One credit pays for one started minute.
        </Text>
      )}
      <Loaded query={entries}>
        {(list) =>
          list.length === 0 ? (
            <Empty title="No credits yet" text="Whoever runs this server adds them." />
          ) : (
            <Table label="Credits, newest first" columns={columns} rows={list} keyOf={(entry) => entry.entry_id} />
          )
        }
      </Loaded>
      <MoreButton list={entries} />
    </Panel>
  )
}
