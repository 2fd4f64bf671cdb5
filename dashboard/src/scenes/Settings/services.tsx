import { Button, Group, Text } from '@mantine/core'
import type { ServiceSettings } from '@parley/contract/branch-settings'
import { useState } from 'react'
import { useBranches, useServices } from '../../calendar/queries.ts'
import { curlOf } from '../../curl.ts'
import { useMay } from '../../session.ts'
import { CopyId } from '../../ui/copy-id.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import './places.css'
import { RemoveThing } from './remove-thing.tsx'
import { ServiceForm } from './service-form.tsx'
import { usageText } from './usage.ts'

type Open = { what: 'edit' | 'remove'; service: ServiceSettings } | { what: 'new' } | null

export function ServicesSettings() {
  const services = useServices()
  const branches = useBranches()
  const mayManage = useMay('manage')
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const names = new Map((branches.data ?? []).map((each) => [each.branch_id, each.name]))
  const add = <Button onClick={() => setOpen({ what: 'new' })}>Add a service</Button>
  const columns: Column<ServiceSettings>[] = [
    {
      label: 'Service',
      cell: (each) => (
        <div>
          <b>{each.name}</b> · {each.duration_minutes} min
          <br />
          <CopyId id={each.appointment_type_id} label="service ID" />
        </div>
      ),
    },
    {
      label: 'Offered at',
      cell: (each) =>
        each.branch_ids.length === 0 ? 'Every branch' : each.branch_ids.map((id) => names.get(id) ?? '…').join(', '),
    },
    { label: 'In use by', cell: (each) => usesOf(each) || 'Nothing yet' },
    ...(mayManage
      ? [
          {
            label: 'Actions',
            align: 'end' as const,
            cell: (each: ServiceSettings) => (
              <Group gap={6} justify="flex-end" wrap="nowrap">
                <Button size="compact-sm" variant="default" onClick={() => setOpen({ what: 'edit', service: each })}>
                  Edit<span className="hidden-words"> {each.name}</span>
                </Button>
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="red"
                  onClick={() => setOpen({ what: 'remove', service: each })}
                >
                  Delete<span className="hidden-words"> {each.name}</span>
                </Button>
              </Group>
            ),
          },
        ]
      : []),
  ]
  return (
    <Panel title="Services" actions={mayManage && add}>
      <Text size="sm" c="dimmed" mb="sm">
        What people come for. A window can be for one service alone or for any.
        {!mayManage && ' Owners and admins can change them.'}
      </Text>
      <Loaded query={services}>
        {(all) =>
          all.length === 0 ? (
            <Empty
              title="No services yet"
              text="Without services every window takes any appointment."
              action={mayManage && add}
              curl={curlOf({ method: 'GET', path: '/v1/appointments/services' })}
            />
          ) : (
            <Table label="Services" columns={columns} rows={all} keyOf={(each) => each.appointment_type_id} />
          )
        }
      </Loaded>
      {open?.what === 'new' && <ServiceForm branches={branches.data ?? []} onClose={close} />}
      {open?.what === 'edit' && <ServiceForm branches={branches.data ?? []} service={open.service} onClose={close} />}
      {open?.what === 'remove' && (
        <RemoveThing
          title={`Delete ${open.service.name}?`}
          path={`/api/services/${open.service.appointment_type_id}`}
          done={`${open.service.name} is deleted`}
          onClose={close}
        >
          {usesOf(open.service) === ''
            ? 'Nothing refers to it. This cannot be undone.'
            : `${usesOf(open.service)} refer to it: it will be refused.`}
        </RemoveThing>
      )}
    </Panel>
  )
}

const usesOf = ({ windows, appointments }: ServiceSettings): string =>
  usageText({ window: windows, appointment: appointments })
