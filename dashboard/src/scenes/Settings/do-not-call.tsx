import { Button, Text, TextInput } from '@mantine/core'
import type { DoNotCallEntry } from '@parley/contract/do-not-call'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { write } from '../../api.ts'
import { useMay } from '../../session.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.ts'
import { When } from '../../ui/when.tsx'
import { usePages } from '../../use-pages.ts'
import { AddNumbers } from './add-numbers.tsx'

function Remove({ number, onClose }: { number: string; onClose: () => void }) {
  const client = useQueryClient()
  const removing = useMutation({
    mutationFn: () => write('DELETE', `/api/do-not-call/${encodeURIComponent(number)}`),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['do-not-call'] })
      toast(`${number} may be called again.`)
      onClose()
    },
  })
  return (
    <Confirm
      title={`Take ${number} off the list?`}
      doIt="Take it off"
      doing="Taking it off…"
      failure={removing.error}
      busy={removing.isPending}
      onConfirm={() => removing.mutate()}
      onClose={onClose}
    >
      It can be called again from now on. Make sure that the person agrees.
    </Confirm>
  )
}

/** Digits of what was typed: people search as they write. */
const searched = (text: string): string =>
  text
    .replace(/[^+0-9]/g, '')
    .replace(/(?!^)\+/g, '')
    .slice(0, 15)

export function DoNotCallSettings() {
  const navigate = useNavigate()
  const mayWork = useMay('work')
  const mayManage = useMay('manage')
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<string | null>(null)
  const { q = '' } = useSearch({ strict: false }) as { q?: string }
  const numbers = usePages<DoNotCallEntry>(['do-not-call', searched(q)], '/api/do-not-call', {
    q: searched(q),
    limit: 50,
  })
  const search = (text: string) =>
    void navigate({
      to: '/settings/$section',
      params: { section: 'do-not-call' },
      search: text === '' ? {} : { q: text },
      replace: true,
    })
  const columns: Column<DoNotCallEntry>[] = [
    { label: 'Number', cell: ({ number }) => number },
    { label: 'Since', cell: ({ created_at }) => <When at={created_at} /> },
    ...(mayManage
      ? [
          {
            label: 'Remove',
            align: 'end' as const,
            cell: ({ number }: DoNotCallEntry) => (
              <Button size="xs" variant="default" aria-label={`Remove ${number}`} onClick={() => setRemoved(number)}>
                Remove
              </Button>
            ),
          },
        ]
      : []),
  ]
  const add = mayWork && (
    <Button size="xs" onClick={() => setAdding(true)}>
      Add numbers
    </Button>
  )
  return (
    <Panel title="Do not call" actions={add}>
      <Text size="sm" c="dimmed" mb="md">
        These numbers are never dialled. It is checked in the moment a call would be placed, so it counts for calls that
        are planned already.
      </Text>
      <TextInput
        type="search"
        label="Search"
        placeholder="Part of a number"
        mb="md"
        value={q}
        onChange={(event) => search(event.currentTarget.value)}
      />
      <Loaded query={numbers}>
        {(list) =>
          list.length > 0 ? (
            <Table label="Numbers not to call" columns={columns} rows={list} keyOf={({ number }) => number} />
          ) : q === '' ? (
            <Empty title="The list is empty" text="Add whoever does not want to be called." action={add} />
          ) : (
            <Empty title="No such number" text="No number on the list holds these digits." />
          )
        }
      </Loaded>
      <MoreButton list={numbers} />
      {isAdding && <AddNumbers onClose={() => setAdding(false)} />}
      {removed !== null && <Remove number={removed} onClose={() => setRemoved(null)} />}
    </Panel>
  )
}
