import { Text } from '@mantine/core'
import type { Endpoint } from '@parley/contract/webhooks'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import { bodyOf, EndpointForm, endpointFields, noEndpoint } from './endpoint-form.tsx'
import { useWebhookChange } from './webhook-queries.ts'

/** The form, then the secret, then the new endpoint's own page. */
export function NewEndpoint({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [fields, setFields] = useState(noEndpoint)
  const making = useWebhookChange<Endpoint & { secret: string }>()
  const made = making.data
  if (made) {
    return (
      <SecretDialog
        title="The endpoint is ready"
        name="signing secret"
        secret={made.secret}
        onSaved={() => {
          onClose()
          void navigate({ to: '/webhooks/$endpointId', params: { endpointId: made.endpoint_id } })
        }}
      >
        <Text size="sm">
          {made.signing
            ? 'Your server checks signatures with it. The whole text is the key, whsec_ included.'
            : 'Signing is off, so it is not used yet. Keep it for when you switch signing on.'}
        </Text>
      </SecretDialog>
    )
  }
  return (
    <FormDialog
      title="New endpoint"
      doIt="Create the endpoint"
      doing="Creating it…"
      busy={making.isPending}
      failure={making.error}
      fields={endpointFields}
      onSubmit={() => making.mutate({ method: 'POST', path: '/api/webhooks/endpoints', body: bodyOf(fields) })}
      onClose={onClose}
    >
      <EndpointForm value={fields} failure={making.error} onChange={setFields} />
    </FormDialog>
  )
}
