import { Button, Group, Text } from '@mantine/core'
import type { Trunk, TrunkTest } from '@parley/contract/trunks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { write } from '../../api.ts'
import { explain } from '../../explain.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Panel } from '../../ui/panel.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.ts'
import { useTrunks } from './queries.ts'
import { TrunkDialog } from './trunk-dialog.tsx'

const addressOf = ({ host, port, transport }: Trunk): string =>
  `${host}${port === null ? '' : `:${port}`} over ${transport.toUpperCase()}`

/** Registers and asks the carrier; says in words what came of it. */
function TestTrunk({ trunk }: { trunk: Trunk }) {
  const testing = useMutation({ mutationFn: () => write<TrunkTest>('POST', `/api/trunks/${trunk.trunk_id}/test`) })
  return (
    <div>
      <Button size="xs" variant="default" loading={testing.isPending} onClick={() => testing.mutate()}>
        Test {trunk.name}
      </Button>
      <div role="status">
        {testing.error && <FailureNote explanation={explain(testing.error)} />}
        {testing.data?.steps.map(({ step, ok, words }) => (
          <div key={step}>
            <Mark tone={ok ? 'good' : 'bad'}>{ok ? 'Works' : 'Trouble'}</Mark> <Text size="sm">{words}</Text>
          </div>
        ))}
      </div>
    </div>
  )
}

function RemoveTrunk({ trunk }: { trunk: Trunk }) {
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const removing = useMutation({
    mutationFn: () => write('DELETE', `/api/trunks/${trunk.trunk_id}`),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['trunks'] })
      toast(`${trunk.name} is removed.`)
    },
  })
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setAsking(true)}>
        Remove {trunk.name}
      </Button>
      {asking && (
        <Confirm
          title={`Remove ${trunk.name}?`}
          doIt="Remove"
          doing="Removing…"
          failure={removing.error}
          busy={removing.isPending}
          onConfirm={() => removing.mutate()}
          onClose={() => setAsking(false)}
        >
          Calls can no longer go or come through it. Numbers that use it must be given up first.
        </Confirm>
      )}
    </>
  )
}

const columns: Column<Trunk>[] = [
  { label: 'Trunk', cell: ({ name }) => name },
  { label: 'Carrier', cell: addressOf },
  { label: 'Numbers', cell: ({ numbers }) => (numbers.length === 0 ? 'None yet' : numbers.join(', ')) },
  { label: 'At once', cell: ({ max_concurrent }) => max_concurrent, wideOnly: true },
  {
    label: 'Actions',
    align: 'end',
    cell: (trunk) => (
      <Group gap="xs" justify="flex-end">
        <TestTrunk trunk={trunk} />
        <RemoveTrunk trunk={trunk} />
      </Group>
    ),
  },
]

/** Connections to carriers over SIP: with one, a number rings real phones. */
export function Trunks() {
  const trunks = useTrunks()
  const [adding, setAdding] = useState(false)
  const add = (
    <Button size="xs" variant="default" onClick={() => setAdding(true)}>
      Add a trunk
    </Button>
  )
  return (
    <Panel title="Trunks" actions={add}>
      <Loaded query={trunks} rows={2}>
        {(list) =>
          list.length === 0 ? (
            <Empty
              title="No real line yet"
              text="A trunk is the SIP connection your carrier gives you. With one, numbers ring real phones."
            />
          ) : (
            <Table label="Trunks" columns={columns} rows={list} keyOf={(each) => each.trunk_id} />
          )
        }
      </Loaded>
      {adding && <TrunkDialog onClose={() => setAdding(false)} />}
    </Panel>
  )
}
