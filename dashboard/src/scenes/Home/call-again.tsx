import type { Call, CreatedCall } from '@parley/contract/calls'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { read, write } from '../../api.ts'
import { explain } from '../../explain.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { toast } from '../../ui/toast.ts'

/** The same call once more: same agent, person and details. */
async function callAgain(callId: string): Promise<void> {
  const call = await read<Call>(`/api/v1/calls/${callId}`)
  const optional = {
    user_name: call.contact_name,
    user_email: call.contact_email,
    user_preferred_language: call.contact_preferred_language,
    additional_info: call.additional_info,
  }
  const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null))
  const body = { agent_id: call.agent_id, user_number: call.contact_number, ...given }
  // Pressed twice, or sent twice by the network: it rings once.
  await write<CreatedCall['data']>('POST', '/api/v1/calls', body, { 'idempotency-key': `again-${callId}` })
}

export function CallAgain({ callId, who }: { callId: string; who: string }) {
  const client = useQueryClient()
  const calling = useMutation({
    mutationFn: () => callAgain(callId),
    onSuccess: () => toast(`${who} will be called in a moment.`),
    onError: (failure) => toast(`Not called. ${explain(failure).text}`),
    onSettled: () => client.invalidateQueries({ queryKey: ['home'] }),
  })
  return (
    <BusyButton
      size="xs"
      variant="default"
      aria-label={`Call ${who} again`}
      busy={calling.isPending}
      busyWords="Calling…"
      onClick={() => calling.mutate()}
    >
      Call again
    </BusyButton>
  )
}
