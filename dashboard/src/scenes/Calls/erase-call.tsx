import { Button, Group, Text } from '@mantine/core'
import type { ErasureReceipt } from '@parley/contract/dashboard-calls'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { write } from '../../api.ts'
import { refresh } from '../../live.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { CopyId } from '../../ui/copy-id.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { When } from '../../ui/when.tsx'

interface EraseCallProps {
  callId: string
  who: string
  onClose: () => void
  /** After the receipt was read. */
  onErased?: () => void
}

export function EraseCall({ callId, who, onClose, onErased = onClose }: EraseCallProps) {
  const client = useQueryClient()
  const erase = useMutation({
    mutationFn: () => write<ErasureReceipt>('POST', `/api/calls/${callId}/erase`),
  })
  const leave = () => {
    onErased()
    void refresh(client, ['calls', 'deliveries', 'appointments'])
  }
  if (erase.data) return <Receipt receipt={erase.data} onClose={leave} />
  return (
    <Confirm
      title="Erase personal data?"
      typed="erase"
      doIt="Erase for good"
      doing="Erasing…"
      failure={erase.error}
      busy={erase.isPending}
      onConfirm={() => erase.mutate()}
      onClose={onClose}
    >
      Transcript, recording, contact details, summary, events and deliveries of the call with {who} are removed for
      good. Appointments stay with the branch. This cannot be undone.
    </Confirm>
  )
}

function Receipt({ receipt, onClose }: { receipt: ErasureReceipt; onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="The call was erased" centered>
      <Text size="sm" mb="xs">
        This is the receipt. It names nobody, so you may keep it.
      </Text>
      <Facts>
        <Fact name="Call">
          <CopyId id={receipt.call_id} label="call ID" />
        </Fact>
        <Fact name="Erased">
          <When at={receipt.erased_at} />
        </Fact>
        <Fact name="Contact details, summary and recording">Erased</Fact>
        <Fact name="Lines of transcript">{receipt.transcript_lines}</Fact>
        <Fact name="Events">{receipt.events}</Fact>
        <Fact name="Webhook deliveries">{receipt.deliveries}</Fact>
        <Fact name="Share link">{receipt.share_link ? 'Closed and erased' : 'There was none'}</Fact>
        <Fact name="Appointments kept, without the link">{receipt.appointments_kept}</Fact>
      </Facts>
      <Group justify="flex-end" mt="lg">
        <Button onClick={onClose} data-autofocus>
          Done
        </Button>
      </Group>
    </Dialog>
  )
}
