import { Text } from '@mantine/core'
import type { Delivery } from '@parley/contract/webhooks'
import { explain } from '../../explain.ts'
import { useMay } from '../../session.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { toast } from '../../ui/toast.ts'
import { useEndpoint, useWebhookChange } from './webhook-queries.ts'

/** The same event again, at once, with five attempts of its own. */
export function Resend({ delivery }: { delivery: Delivery }) {
  const mayManage = useMay('manage')
  const endpoint = useEndpoint(delivery.endpoint_id)
  const resending = useWebhookChange(() => toast('It is on its way. The attempt appears here by itself.'))
  if (!mayManage || delivery.status === 'dropped') return null
  if (endpoint.data?.status === 'disabled') {
    return (
      <Text size="sm" c="dimmed">
        Switch its endpoint on to resend.
      </Text>
    )
  }
  const path = `/api/webhooks/deliveries/${delivery.delivery_id}/replay`
  return (
    <BusyButton
      busy={resending.isPending}
      busyWords="Resending…"
      onClick={() =>
        resending.mutate(
          { method: 'POST', path },
          { onError: (failure) => toast(`${explain(failure).title}. ${explain(failure).text}`) },
        )
      }
    >
      Resend
    </BusyButton>
  )
}
