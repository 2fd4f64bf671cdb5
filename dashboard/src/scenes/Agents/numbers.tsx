import { Button, Text } from '@mantine/core'
import type { PhoneNumber } from '@parley/contract/agents'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../session.ts'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Panel } from '../../ui/panel.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { carrierName } from './carrier-words.ts'
import { NumberDialog } from './number-dialog.tsx'
import { useNumbers } from './queries.ts'

const columnsFor = (onEdit: ((number: PhoneNumber) => void) | null): Column<PhoneNumber>[] => [
  { label: 'Number', cell: ({ number }) => number },
  { label: 'Carrier', cell: ({ carrier }) => carrierName(carrier) },
  {
    label: 'In the air',
    cell: ({ in_the_air, max_concurrent }) =>
      in_the_air > 0 ? (
        <Mark tone="busy">
          {in_the_air} of {max_concurrent}
        </Mark>
      ) : (
        `0 of ${max_concurrent}`
      ),
  },
  {
    label: 'Agents',
    cell: ({ agents }) =>
      agents.length === 0 ? (
        <Mark tone="warn">None</Mark>
      ) : (
        <span>
          {agents.map((agent, at) => (
            <span key={agent.agent_id}>
              {at > 0 && ', '}
              <Link to="/agents/$agentId" params={{ agentId: agent.agent_id }}>
                {agent.name}
              </Link>
            </span>
          ))}
        </span>
      ),
  },
  ...(onEdit
    ? [
        {
          label: 'Change',
          align: 'end' as const,
          cell: (number: PhoneNumber) => (
            <Button size="xs" variant="default" aria-label={`Change ${number.number}`} onClick={() => onEdit(number)}>
              Change
            </Button>
          ),
        },
      ]
    : []),
]

export function Numbers() {
  const numbers = useNumbers()
  const mayManage = useMay('manage')
  const [edited, setEdited] = useState<PhoneNumber | 'new' | null>(null)
  const add = mayManage && (
    <Button size="xs" variant="default" onClick={() => setEdited('new')}>
      Add a number
    </Button>
  )
  return (
    <Panel title="Phone numbers" actions={add}>
      <Loaded query={numbers}>
        {(list) =>
          list.length === 0 ? (
            <Empty
              title="No number yet"
              text="Start with a simulator number such as +15005550000: calls behave like real ones and ring no phone."
            />
          ) : (
            <>
              <Table
                label="Phone numbers"
                columns={columnsFor(mayManage ? setEdited : null)}
                rows={list}
                keyOf={(each) => each.phone_number_id}
              />
              {!mayManage && (
                <Text size="sm" c="dimmed" mt="sm">
                  Owners and admins change agents and numbers.
                </Text>
              )}
            </>
          )
        }
      </Loaded>
      {edited && <NumberDialog number={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </Panel>
  )
}
