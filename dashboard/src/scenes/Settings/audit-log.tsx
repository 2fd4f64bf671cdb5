import { NativeSelect, TextInput } from '@mantine/core'
import type { AuditEntry } from '@parley/contract/organisation'
import type { Member } from '@parley/contract/team'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { read } from '../../api.ts'
import { placeOf } from '../../places.ts'
import { useMay } from '../../session.ts'
import { CopyId } from '../../ui/copy-id.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { When } from '../../ui/when.tsx'
import { usePages } from '../../use-pages.ts'
import { actionWords, actorWords, areas } from './audit-words.ts'

function Which({ id }: { id: string }) {
  const place = placeOf(id)
  return place ? <Link to={place}>{id}</Link> : <CopyId id={id} label="ID" />
}

const columns: Column<AuditEntry>[] = [
  { label: 'When', cell: ({ at }) => <When at={at} /> },
  { label: 'Who', cell: ({ actor, actor_email }) => actor_email ?? <span title={actor}>{actorWords(actor)}</span> },
  { label: 'What', cell: ({ action }) => actionWords(action) },
  { label: 'Which', wideOnly: true, cell: ({ resource_id }) => <Which id={resource_id} /> },
]

type Filters = { area?: string; actor?: string; resource_id?: string }

function AuditLog() {
  const navigate = useNavigate()
  const { area = '', actor = '', resource_id = '' } = useSearch({ strict: false }) as Filters
  const filters = { area, actor, resource_id: resource_id.trim() }
  const entries = usePages<AuditEntry>(['audit-log', filters], '/api/audit-log', { ...filters, limit: 50 })
  const members = useQuery({
    queryKey: ['team', 'members'],
    queryFn: ({ signal }) => read<Member[]>('/api/team/members', {}, signal),
  })
  const filter = (part: Filters) =>
    void navigate({
      to: '/settings/$section',
      params: { section: 'audit-log' },
      search: { ...filters, ...part },
      replace: true,
    })
  return (
    <Panel title="Audit log">
      <div className="filters">
        <NativeSelect
          label="About"
          value={area}
          data={[...areas]}
          onChange={(event) => filter({ area: event.currentTarget.value })}
        />
        <NativeSelect
          label="By"
          value={actor}
          data={[
            { value: '', label: 'Anybody' },
            ...(members.data ?? []).map(({ user_id, email }) => ({ value: user_id, label: email })),
          ]}
          onChange={(event) => filter({ actor: event.currentTarget.value })}
        />
        <TextInput
          label="ID"
          placeholder="call_…, agt_…"
          value={resource_id}
          onChange={(event) => filter({ resource_id: event.currentTarget.value })}
        />
      </div>
      <Loaded query={entries} rows={8}>
        {(list) =>
          list.length === 0 ? (
            <Empty title="Nothing here" text="Changes to the set-up, and what was erased, are written down here." />
          ) : (
            <Table label="Audit log, newest first" columns={columns} rows={list} keyOf={({ audit_id }) => audit_id} />
          )
        }
      </Loaded>
      <MoreButton list={entries} />
    </Panel>
  )
}

export function AuditLogSettings() {
  if (useMay('manage')) return <AuditLog />
  return (
    <Panel title="Audit log">
      <Empty title="For owners and admins" text="They see who changed what." />
    </Panel>
  )
}
