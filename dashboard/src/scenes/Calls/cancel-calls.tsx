import { useMutation, useQueryClient } from '@tanstack/react-query'
import { write } from '../../api.ts'
import { refresh } from '../../live.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.ts'
import { cancelAll, cancelledWords } from './cancel-all.ts'

interface CancelCallsProps {
  callIds: readonly string[]
  onClose: () => void
}

/** One call or many; what had already begun is said, not hidden. */
export function CancelCalls({ callIds, onClose }: CancelCallsProps) {
  const client = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => cancelAll(callIds, (id) => write('POST', `/api/v1/calls/${id}/cancel`)),
    onSuccess: (result) => {
      toast(cancelledWords(result))
      onClose()
    },
    onSettled: () => refresh(client, ['calls']),
  })
  const one = callIds.length === 1
  return (
    <Confirm
      title={one ? 'Cancel this call?' : `Cancel ${callIds.length} calls?`}
      doIt={one ? 'Cancel the call' : 'Cancel the calls'}
      doing="Cancelling…"
      failure={cancel.error}
      busy={cancel.isPending}
      onConfirm={() => cancel.mutate()}
      onClose={onClose}
    >
      {one ? 'The phone will not ring.' : 'These phones will not ring.'} A call that has begun meanwhile goes on.
    </Confirm>
  )
}
