import { Alert, Group, Text } from '@mantine/core'
import type { Endpoint } from '@parley/contract/webhooks'
import { useNavigate } from '@tanstack/react-router'
import { explain } from '../../explain.ts'
import { useMay } from '../../session.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Icon } from '../../ui/icons.tsx'
import { toast } from '../../ui/toast.ts'
import { When } from '../../ui/when.tsx'
import { endpointPath, useWebhookChange } from './webhook-queries.ts'

/** Why nothing is sent, and the two things to do about it: switch it on, and send what was missed. */
export function OffBanner({ endpoint }: { endpoint: Endpoint }) {
  const { endpoint_id: endpointId, disabled_reason, disabled_at } = endpoint
  const mayManage = useMay('manage')
  const navigate = useNavigate()
  const enabling = useWebhookChange()
  const enable = (then: () => void) =>
    enabling.mutate(
      { method: 'PATCH', path: endpointPath(endpointId), body: { status: 'enabled' } },
      { onSuccess: then },
    )
  const recover = () =>
    void navigate({ to: '/webhooks/$endpointId', params: { endpointId }, search: { recover: sinceOf(endpoint) } })
  const hasFailed = disabled_reason === 'failures'
  return (
    <Alert
      className={`off ${hasFailed ? 'failure' : ''}`}
      color={hasFailed ? 'red' : 'gray'}
      icon={<Icon name={hasFailed ? 'alert' : 'pause'} />}
      title={hasFailed ? 'Switched off after 50 failed attempts in a row' : 'Switched off by hand'}
    >
      <Text size="sm" mb="xs">
        Since <When at={disabled_at} /> nothing is sent here. Events are held: they are not lost, and can be sent once
        the endpoint is on again.
        {hasFailed && ' First make sure that your server answers with 2xx.'}
      </Text>
      {enabling.error && <FailureNote explanation={explain(enabling.error)} />}
      {mayManage && (
        <Group gap="xs">
          <BusyButton
            size="xs"
            busy={enabling.isPending}
            busyWords="Switching on…"
            onClick={() => enable(() => toast('The endpoint is on. New events are sent again.'))}
          >
            Switch on
          </BusyButton>
          <BusyButton
            size="xs"
            variant="default"
            busy={enabling.isPending}
            busyWords="Switching on…"
            onClick={() => enable(recover)}
          >
            Switch on and recover
          </BusyButton>
        </Group>
      )}
    </Alert>
  )
}

/** What failed before it was switched off counts too: the attempts of one delivery are over within two hours. */
const sinceOf = ({ disabled_at, created_at, disabled_reason }: Endpoint): string => {
  const off = Date.parse(disabled_at ?? created_at)
  return new Date(disabled_reason === 'failures' ? off - 2 * 3_600_000 : off).toISOString()
}
