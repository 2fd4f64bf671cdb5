import { Button } from '@mantine/core'
import type { OpenSession } from '@parley/contract/team'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { read, write } from '../../api.ts'
import { explain } from '../../explain.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Panel } from '../../ui/panel.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.ts'
import { When } from '../../ui/when.tsx'
import { browserWords } from './browser-words.ts'

const key = ['account', 'sessions']

export function Sessions() {
  const client = useQueryClient()
  const sessions = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => read<OpenSession[]>('/api/account/sessions', {}, signal),
  })
  /** null: all but this one. */
  const ending = useMutation({
    mutationFn: (id: string | null) => write('DELETE', `/api/account/sessions${id === null ? '' : `/${id}`}`),
    onSuccess: () => toast('Signed out there.'),
    onError: (failure) => toast(explain(failure).text),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  })
  const columns: Column<OpenSession>[] = [
    { label: 'Where', cell: ({ browser }) => browserWords(browser) },
    { label: 'Last used', cell: ({ last_used_at }) => <When at={last_used_at} /> },
    { label: 'Ends', wideOnly: true, cell: ({ expires_at }) => <When at={expires_at} /> },
    {
      label: 'Sign out',
      align: 'end',
      cell: ({ is_this, session_id, browser }) =>
        is_this ? (
          <Mark tone="good">This one</Mark>
        ) : (
          <Button
            size="xs"
            variant="default"
            aria-label={`Sign out of ${browserWords(browser)}`}
            onClick={() => ending.mutate(session_id)}
          >
            Sign out
          </Button>
        ),
    },
  ]
  const others = sessions.data?.some(({ is_this }) => !is_this) ?? false
  return (
    <Panel
      title="Where you are signed in"
      actions={
        others && (
          <Button size="xs" variant="default" onClick={() => ending.mutate(null)}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      <Loaded query={sessions}>
        {(list) => <Table label="Sessions" columns={columns} rows={list} keyOf={({ session_id }) => session_id} />}
      </Loaded>
    </Panel>
  )
}
