import { Button, Progress, Text } from '@mantine/core'
import type { ApiKey, ApiKeys, CreatedApiKey } from '@parley/contract/api-keys'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { read, write } from '../../api.ts'
import { curlOf } from '../../curl.ts'
import { useMay } from '../../session.ts'
import { Code } from '../../ui/code.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { ManagersOnly } from '../../ui/managers-only.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { EndedKeyTable, KeyTable } from './key-table.tsx'
import './keys.css'
import { NewKey } from './new-key.tsx'

const example = { method: 'GET', path: '/v1/calls?limit=5' }

export function Keys() {
  const query = useQuery({
    queryKey: ['keys'],
    queryFn: ({ signal }) => read<ApiKeys>('/api/keys', {}, signal),
    // Last used is written once a minute.
    refetchInterval: 60_000,
  })
  const mayManage = useMay('manage')
  const [dialog, setDialog] = useState<'new' | { made: CreatedApiKey } | { revoke: ApiKey } | null>(null)
  const isFull = query.data ? query.data.limit !== null && query.data.active >= query.data.limit : false
  const close = () => setDialog(null)
  const add = mayManage && (
    <Button leftSection={<Icon name="plus" />} disabled={isFull} onClick={() => setDialog('new')}>
      New key
    </Button>
  )
  return (
    <Page
      title="API keys"
      lead="A key lets a program of yours use Parley. It can do what you tick for it, and nothing else."
      actions={add}
    >
      <ManagersOnly what="make and revoke keys" />
      <Loaded query={query}>
        {({ keys, active, limit }) => {
          const live = keys.filter((key) => key.status === 'active')
          const ended = keys.filter((key) => key.status !== 'active')
          return (
            <>
              {live.length === 0 ? (
                <Empty
                  title="No active key"
                  text="Make one for each program, so that you can revoke one without stopping the others."
                  action={add}
                  curl={curlOf(example)}
                />
              ) : (
                <Panel title="Active keys" actions={<Count active={active} limit={limit} />}>
                  <KeyTable
                    label="Active keys"
                    keys={live}
                    onRevoke={mayManage ? (revoke) => setDialog({ revoke }) : undefined}
                  />
                </Panel>
              )}
              {live.length > 0 && (
                <Panel title="Try a key">
                  <Code text={curlOf(example)} label="curl command" />
                </Panel>
              )}
              {ended.length > 0 && (
                <Panel title="Ended">
                  <EndedKeyTable keys={ended} />
                </Panel>
              )}
            </>
          )
        }}
      </Loaded>
      {dialog === 'new' && <NewKey onMade={(made) => setDialog({ made })} onClose={close} />}
      {dialog !== null && typeof dialog === 'object' && 'made' in dialog && (
        <SecretDialog
          title={`Key “${dialog.made.name}” is ready`}
          name="API key"
          secret={dialog.made.key}
          onSaved={close}
        >
          <Code text={curlOf(example).replace('YOUR_KEY', dialog.made.key)} label="curl command with this key" />
        </SecretDialog>
      )}
      {dialog !== null && typeof dialog === 'object' && 'revoke' in dialog && (
        <Revoke apiKey={dialog.revoke} onClose={close} />
      )}
    </Page>
  )
}

function Count({ active, limit }: { active: number; limit: number | null }) {
  if (limit === null) return <Text size="sm" c="dimmed">{`${active} in use, as many as you like`}</Text>
  return (
    <div className="key-count">
      <Text size="sm" c="dimmed">
        {active} of {limit} in use{active >= limit && '. Revoke one, or choose a larger plan, to make another.'}
      </Text>
      <Progress value={(100 * active) / limit} size="sm" aria-label="Keys in use" />
    </div>
  )
}

function Revoke({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const client = useQueryClient()
  const revoking = useMutation({
    mutationFn: () => write('POST', `/api/keys/${apiKey.key_id}/revoke`),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['keys'] })
      toast(`“${apiKey.name}” is revoked.`)
      onClose()
    },
  })
  return (
    <Confirm
      title={`Revoke “${apiKey.name}”?`}
      doIt="Revoke"
      doing="Revoking…"
      failure={revoking.error}
      busy={revoking.isPending}
      onConfirm={() => revoking.mutate()}
      onClose={onClose}
    >
      Programs that use pk_…{apiKey.hint} are refused from their very next request on. This cannot be undone.
    </Confirm>
  )
}
