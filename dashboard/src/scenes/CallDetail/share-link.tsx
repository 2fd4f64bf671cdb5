import { Button, Group, NativeSelect, Text } from '@mantine/core'
import type { CallShare, ShareBody } from '@parley/contract/dashboard-calls'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { write } from '../../api.ts'
import { explain } from '../../explain.ts'
import { useMay } from '../../session.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Code } from '../../ui/code.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { When } from '../../ui/when.tsx'
import { useCallShare } from './use-call.ts'

const expiries: { value: ShareBody['expiry']; label: string }[] = [
  { value: 'hour', label: 'One hour' },
  { value: 'day', label: 'One day' },
  { value: 'week', label: 'One week' },
  { value: 'month', label: 'One month' },
  { value: 'never', label: 'Until it is revoked' },
]

export function ShareLink({ callId, onClose }: { callId: string; onClose: () => void }) {
  const share = useCallShare(callId)
  return (
    <Dialog onClose={onClose} title="Share this call" centered>
      <Loaded query={share} rows={2}>
        {(state) => (state.enabled ? <Sharing callId={callId} state={state} /> : <SharingIsOff />)}
      </Loaded>
    </Dialog>
  )
}

function SharingIsOff() {
  const mayManage = useMay('manage')
  return (
    <Text size="sm">
      Your organisation does not share calls, so no link would open.{' '}
      {mayManage ? (
        <Link to="/settings/$section" params={{ section: 'sharing' }}>
          Switch sharing on in Settings
        </Link>
      ) : (
        'An owner or admin can switch sharing on in Settings.'
      )}
    </Text>
  )
}

const stateText: Record<CallShare['state'], string> = {
  none: 'There is no link to this call yet.',
  open: 'Whoever has this link sees summary, transcript and recording, without signing in.',
  expired: 'The last link has expired.',
  revoked: 'The last link was revoked and opens nothing any more.',
}

function Sharing({ callId, state }: { callId: string; state: CallShare }) {
  const mayWork = useMay('work')
  const client = useQueryClient()
  const [expiry, setExpiry] = useState<ShareBody['expiry']>('week')
  const isOpen = state.state === 'open'
  const path = `/api/calls/${callId}/share`
  const change = useMutation({
    mutationFn: (what: 'make' | 'revoke') =>
      what === 'make' ? write<CallShare>('POST', path, { expiry }) : write<CallShare>('DELETE', path),
    onSuccess: (next) => client.setQueryData(['share', callId], next),
  })
  return (
    <>
      <Text size="sm" mb="sm" role="status">
        {stateText[state.state]}
      </Text>
      {state.url && <Code text={state.url} label="share link" />}
      {isOpen && (
        <Text size="sm" mt="xs" c="dimmed">
          {state.expires_at ? (
            <>
              It opens until <When at={state.expires_at} />.
            </>
          ) : (
            'It opens until it is revoked.'
          )}
        </Text>
      )}
      {mayWork ? (
        <>
          <NativeSelect
            mt="md"
            label="A new link opens for"
            description={isOpen ? 'A new link closes the one before.' : undefined}
            value={expiry}
            onChange={(event) => setExpiry(event.currentTarget.value as ShareBody['expiry'])}
            data={expiries}
          />
          {change.error && (
            <div className="spaced">
              <FailureNote explanation={explain(change.error)} />
            </div>
          )}
          <Group justify="flex-end" mt="lg">
            {isOpen && (
              <Button variant="default" onClick={() => change.mutate('revoke')} disabled={change.isPending}>
                Revoke the link
              </Button>
            )}
            <BusyButton busy={change.isPending} busyWords="One moment…" onClick={() => change.mutate('make')}>
              {isOpen ? 'Make a new link' : 'Create the link'}
            </BusyButton>
          </Group>
        </>
      ) : (
        <Text size="sm" c="dimmed">
          Your role may look at calls, but not share them.
        </Text>
      )}
    </>
  )
}
