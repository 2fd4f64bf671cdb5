import { Button, Text } from '@mantine/core'
import type { ApiKey } from '@parley/contract/api-keys'
import { CopyId } from '../../ui/copy-id.tsx'
import { Mark } from '../../ui/mark.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { When } from '../../ui/when.tsx'
import { scopesInWords } from './scope-words.ts'

interface KeyTableProps {
  label: string
  keys: readonly ApiKey[]
  /** Absent for those who may not. */
  onRevoke?: ((key: ApiKey) => void) | undefined
}

const states = {
  active: <Mark tone="good">Active</Mark>,
  expired: <Mark tone="calm">Expired</Mark>,
  revoked: (
    <Mark tone="bad" icon="close">
      Revoked
    </Mark>
  ),
} as const

const name: Column<ApiKey> = {
  label: 'Key',
  cell: (key) => (
    <div className="key-name">
      <Text component="span" fw={600} size="sm">
        {key.name}
      </Text>
      <code className="dimmed">pk_…{key.hint}</code>
    </div>
  ),
}
const may: Column<ApiKey> = { label: 'May', cell: (key) => scopesInWords(key.scopes) }
const used: Column<ApiKey> = {
  label: 'Last used',
  cell: (key) => (key.last_used_at ? <When at={key.last_used_at} /> : <span className="dimmed">Never</span>),
}
const expires: Column<ApiKey> = {
  label: 'Expires',
  cell: (key) => (key.expires_at ? <When at={key.expires_at} /> : <span className="dimmed">Never</span>),
}
const made: Column<ApiKey> = { label: 'Created', cell: (key) => <When at={key.created_at} />, wideOnly: true }
const state: Column<ApiKey> = { label: 'State', cell: (key) => states[key.status] }
const ended: Column<ApiKey> = { label: 'Ended', cell: (key) => <When at={key.revoked_at ?? key.expires_at} /> }
const id: Column<ApiKey> = {
  label: 'ID',
  cell: (key) => <CopyId id={key.key_id} label="key ID" />,
  wideOnly: true,
}

export function KeyTable({ label, keys, onRevoke }: KeyTableProps) {
  const revoke: Column<ApiKey> = {
    label: 'Revoke',
    align: 'end',
    cell: (key) => (
      <Button variant="subtle" color="red" size="xs" aria-label={`Revoke ${key.name}`} onClick={() => onRevoke?.(key)}>
        Revoke
      </Button>
    ),
  }
  const columns = [name, may, used, expires, made, id, ...(onRevoke ? [revoke] : [])]
  return <Table label={label} rows={keys} keyOf={(key) => key.key_id} columns={columns} />
}

export const EndedKeyTable = ({ keys }: { keys: readonly ApiKey[] }) => (
  <Table
    label="Keys that have ended"
    rows={keys}
    keyOf={(key) => key.key_id}
    columns={[name, state, ended, used, id]}
  />
)
