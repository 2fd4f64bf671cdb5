import type { Endpoint } from '@parley/contract/webhooks'
import { useNavigate } from '@tanstack/react-router'
import { Confirm } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.ts'
import { endpointPath, useWebhookChange } from './webhook-queries.ts'
import { hostOf } from './webhook-words.ts'

interface EndProps {
  endpoint: Endpoint
  onClose: () => void
}

export function SwitchOff({ endpoint, onClose }: EndProps) {
  const switching = useWebhookChange(() => {
    toast('The endpoint is off. Events are held.')
    onClose()
  })
  const path = endpointPath(endpoint.endpoint_id)
  return (
    <Confirm
      title="Switch the endpoint off?"
      doIt="Switch off"
      doing="Switching off…"
      failure={switching.error}
      busy={switching.isPending}
      onConfirm={() => switching.mutate({ method: 'PATCH', path, body: { status: 'disabled' } })}
      onClose={onClose}
    >
      Nothing is sent until you switch it on again. Events are held meanwhile, and can be recovered.
    </Confirm>
  )
}

export function DeleteEndpoint({ endpoint, onClose }: EndProps) {
  const navigate = useNavigate()
  const deleting = useWebhookChange(() => {
    toast('The endpoint is deleted.')
    onClose()
    void navigate({ to: '/webhooks' })
  })
  return (
    <Confirm
      title="Delete the endpoint?"
      typed={hostOf(endpoint.url)}
      doIt="Delete"
      doing="Deleting…"
      failure={deleting.error}
      busy={deleting.isPending}
      onConfirm={() => deleting.mutate({ method: 'DELETE', path: endpointPath(endpoint.endpoint_id) })}
      onClose={onClose}
    >
      Events that wait or are held for it are dropped, and its secret is gone. This cannot be undone.
    </Confirm>
  )
}
