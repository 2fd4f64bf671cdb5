import { Radio, Stack, Text } from '@mantine/core'
import type { Endpoint } from '@parley/contract/webhooks'
import { useState } from 'react'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import { endpointPath, useWebhookChange } from './webhook-queries.ts'

type Mode = 'staged' | 'now'

/** A new secret: first shown and tried, or used from the next attempt on. */
export function Rotate({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const [mode, setMode] = useState<Mode>('staged')
  const rotating = useWebhookChange<{ secret: string; active: boolean }>()
  const made = rotating.data
  if (made) {
    return (
      <SecretDialog
        title={made.active ? 'The new secret is in use' : 'The new secret waits'}
        name="signing secret"
        secret={made.secret}
        onSaved={onClose}
      >
        <Text size="sm">
          {made.active
            ? 'The next attempt is signed with it.'
            : 'Let your server accept both, send a test event with the new one, then activate it on this page.'}
        </Text>
      </SecretDialog>
    )
  }
  return (
    <FormDialog
      title="Make a new signing secret"
      size="md"
      doIt="Make a new secret"
      doing="Making it…"
      busy={rotating.isPending}
      failure={rotating.error}
      fields={[]}
      onSubmit={() =>
        rotating.mutate({ method: 'POST', path: `${endpointPath(endpoint.endpoint_id)}/rotate`, body: { mode } })
      }
      onClose={onClose}
    >
      <Radio.Group label="When should it be used?" value={mode} onChange={(value) => setMode(value as Mode)}>
        <Stack gap="sm" mt="xs">
          <Radio
            value="staged"
            label="When I activate it"
            description="No event is refused meanwhile. The old secret stays in use until then."
            data-autofocus
          />
          <Radio
            value="now"
            label="At once"
            description="For a secret that has leaked. Your server refuses events until it has the new one."
          />
        </Stack>
      </Radio.Group>
      {endpoint.has_next_secret && (
        <Text size="sm">A new secret waits already. It is replaced by the one you make now.</Text>
      )}
    </FormDialog>
  )
}
