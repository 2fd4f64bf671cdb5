import { Alert, Group, Text } from '@mantine/core'
import type { Endpoint } from '@parley/contract/webhooks'
import { explain } from '../../explain.ts'
import { useMay } from '../../session.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Icon } from '../../ui/icons.tsx'
import { toast } from '../../ui/toast.ts'
import { endpointPath, useWebhookChange } from './webhook-queries.ts'

/** A new secret was made and waits: use it, or forget it. */
export function StagedSecret({ endpoint }: { endpoint: Endpoint }) {
  const mayManage = useMay('manage')
  const settling = useWebhookChange()
  const settle = (what: 'activate' | 'discard', words: string) =>
    settling.mutate(
      { method: 'POST', path: `${endpointPath(endpoint.endpoint_id)}/rotate/${what}` },
      { onSuccess: () => toast(words) },
    )
  return (
    <Alert icon={<Icon name="key" />} title="A new signing secret waits">
      <Text size="sm" mb="xs">
        Events are still signed with the old one. Once a test event with the new secret has succeeded, activate it.
      </Text>
      {settling.error && <FailureNote explanation={explain(settling.error)} />}
      {mayManage && (
        <Group gap="xs">
          <BusyButton
            size="xs"
            busy={settling.isPending}
            busyWords="One moment…"
            onClick={() => settle('activate', 'The new secret is in use.')}
          >
            Activate the new secret
          </BusyButton>
          <BusyButton
            size="xs"
            variant="default"
            busy={settling.isPending}
            busyWords="One moment…"
            onClick={() => settle('discard', 'The new secret is forgotten.')}
          >
            Discard it
          </BusyButton>
        </Group>
      )}
    </Alert>
  )
}
