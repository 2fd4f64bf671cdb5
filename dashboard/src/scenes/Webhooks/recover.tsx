import { Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { write } from '../../api.ts'
import { faultsOf } from '../../form-faults.ts'
import { useSignedIn } from '../../session.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { instantOfText, wallTime } from '../../zoned-time.ts'
import { endpointPath, useWebhookChange } from './webhook-queries.ts'

interface RecoverProps {
  endpointId: string
  /** Where the time to begin with stands at first. */
  since: string
  onClose: () => void
}

/** Everything that failed or was held since a time, sent again; the number is told before anything is done. */
export function Recover({ endpointId, since, onClose }: RecoverProps) {
  const zone = useSignedIn().organisation.timezone
  const [wall, setWall] = useState(() => wallTime(new Date(Date.parse(since) || Date.now() - 86_400_000), zone))
  const from = instantOfText(wall, zone)
  const path = `${endpointPath(endpointId)}/recoveries`
  const count = useQuery({
    queryKey: ['deliveries', 'recoverable', endpointId, from],
    queryFn: () => write<{ total: number }>('POST', path, { since: from, dry_run: true }),
    enabled: from !== null,
    retry: false,
  })
  const starting = useWebhookChange(() => {
    toast('The recovery has begun.')
    onClose()
  })
  const fault = faultsOf(starting.error).since ?? faultsOf(count.error).since
  const total = count.data?.total
  return (
    <FormDialog
      title="Recover what was missed"
      size="md"
      doIt={total ? `Send ${total.toLocaleString('en')} again` : 'Send again'}
      doing="Starting…"
      ready={Boolean(total)}
      busy={starting.isPending}
      failure={starting.error}
      fields={['since']}
      onSubmit={() => {
        if (from !== null) starting.mutate({ method: 'POST', path, body: { since: from } })
      }}
      onClose={onClose}
    >
      <TextInput
        type="datetime-local"
        label="Since"
        description={`In ${zone} time. Failed and held deliveries made from then on are sent again.`}
        data-autofocus
        value={wall}
        error={fault ?? (from === null ? 'Choose a date and a time.' : undefined)}
        onChange={(event) => setWall(event.currentTarget.value)}
      />
      <Text size="sm" role="status">
        {foundWords(total)}
      </Text>
      <Text size="sm" c="dimmed">
        Event IDs stay the same, so a receiver that keeps them drops what it has already. Links are fresh. It runs in
        the background, and new events go first.
      </Text>
    </FormDialog>
  )
}

function foundWords(total: number | undefined): string {
  if (total === undefined) return 'Counting…'
  if (total === 0) return 'Nothing was missed since then.'
  return total === 1
    ? 'One delivery was missed since then.'
    : `${total.toLocaleString('en')} deliveries were missed since then.`
}
