import { Button, NativeSelect, Stack, Switch, Text } from '@mantine/core'
import type { SharingSettings as Sharing } from '@parley/contract/organisation'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { read, write } from '../../api.ts'
import { explain } from '../../explain.ts'
import { useMay } from '../../session.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toast } from '../../ui/toast.ts'

const expiries = [
  { value: '', label: 'Never' },
  { value: 'hour', label: 'After an hour' },
  { value: 'day', label: 'After a day' },
  { value: 'week', label: 'After a week' },
  { value: 'month', label: 'After 30 days' },
]
const key = ['sharing']

function RevokeAll({ onClose }: { onClose: () => void }) {
  const revoking = useMutation({
    mutationFn: () => write<{ revoked: number }>('POST', '/api/sharing/revoke-all'),
    onSuccess: ({ revoked }) => {
      toast(revoked === 1 ? 'One link is closed.' : `${revoked} links are closed.`)
      onClose()
    },
  })
  return (
    <Confirm
      title="Close every link?"
      doIt="Close every link"
      doing="Closing…"
      typed="close"
      failure={revoking.error}
      busy={revoking.isPending}
      onConfirm={() => revoking.mutate()}
      onClose={onClose}
    >
      Every link that was ever sent stops opening at once, and cannot be opened again. Calls to come get links as
      before.
    </Confirm>
  )
}

export function SharingSettings() {
  const client = useQueryClient()
  const mayManage = useMay('manage')
  const [asking, setAsking] = useState(false)
  const sharing = useQuery({ queryKey: key, queryFn: ({ signal }) => read<Sharing>('/api/sharing', {}, signal) })
  const saving = useMutation({
    mutationFn: (change: Partial<Sharing> & { enabled: boolean }) => write<Sharing>('PATCH', '/api/sharing', change),
    onSuccess: (saved) => {
      client.setQueryData(key, saved)
      toast(saved.enabled ? 'Calls are shared by link.' : 'Sharing is off. No link opens any more.')
    },
  })
  return (
    <Panel title="Sharing">
      <Loaded query={sharing}>
        {(found) => (
          <Stack gap="md">
            <Text size="sm" c="dimmed">
              Events carry a link to a page with the call’s summary, recording and transcript. Whoever has the link can
              open it, without signing in.
            </Text>
            {saving.error && <FailureNote explanation={explain(saving.error)} />}
            <Switch
              label="Share calls by link"
              description={
                mayManage ? 'Off closes all links at once; on opens them again.' : 'Owners and admins change this.'
              }
              checked={found.enabled}
              disabled={!mayManage || saving.isPending}
              onChange={(event) => saving.mutate({ enabled: event.currentTarget.checked })}
            />
            <NativeSelect
              label="Links expire"
              description="Counts for links made from now on."
              value={found.expiry ?? ''}
              disabled={!mayManage || saving.isPending}
              data={expiries}
              onChange={(event) => {
                const expiry = (event.currentTarget.value || null) as Sharing['expiry']
                saving.mutate({ enabled: found.enabled, expiry })
              }}
            />
            {mayManage && (
              <div>
                <Button variant="default" onClick={() => setAsking(true)}>
                  Close every link…
                </Button>
              </div>
            )}
          </Stack>
        )}
      </Loaded>
      {asking && <RevokeAll onClose={() => setAsking(false)} />}
    </Panel>
  )
}
