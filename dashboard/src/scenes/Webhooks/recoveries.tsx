import { Progress, Text } from '@mantine/core'
import type { Recovery } from '@parley/contract/webhooks'
import { explain } from '../../explain.ts'
import { useMay } from '../../session.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Panel } from '../../ui/panel.tsx'
import { When } from '../../ui/when.tsx'
import { useRecoveries, useWebhookChange } from './webhook-queries.ts'

/** Shown once there has been one. */
export function Recoveries({ endpointId }: { endpointId: string }) {
  const { data: recoveries = [] } = useRecoveries(endpointId)
  if (recoveries.length === 0) return null
  return (
    <Panel title="Recoveries">
      <ul className="recoveries">
        {recoveries.slice(0, 5).map((recovery) => (
          <li key={recovery.recovery_id}>
            <OneRecovery recovery={recovery} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const marks = {
  running: <Mark tone="busy">Under way</Mark>,
  done: <Mark tone="good">Done</Mark>,
  cancelled: (
    <Mark tone="calm" icon="close">
      Stopped
    </Mark>
  ),
} as const

function OneRecovery({ recovery }: { recovery: Recovery }) {
  const { recovery_id, status, since, total, replayed } = recovery
  const mayManage = useMay('manage')
  const stopping = useWebhookChange()
  const words = `${replayed.toLocaleString('en')} of ${total.toLocaleString('en')} sent again`
  return (
    <>
      <div className="panel-head recovery-head">
        <Text size="sm">
          Since <When at={since} />
        </Text>
        {marks[status]}
      </div>
      {status === 'running' && (
        <Progress value={total === 0 ? 100 : (100 * replayed) / total} size="md" animated aria-label={words} />
      )}
      <div className="panel-head recovery-head">
        <Text size="sm" c="dimmed">
          {words}
        </Text>
        {status === 'running' && mayManage && (
          <BusyButton
            size="xs"
            variant="default"
            busy={stopping.isPending}
            busyWords="Stopping…"
            onClick={() => stopping.mutate({ method: 'POST', path: `/api/webhooks/recoveries/${recovery_id}/cancel` })}
          >
            Stop
          </BusyButton>
        )}
      </div>
      {stopping.error && <FailureNote explanation={explain(stopping.error)} />}
    </>
  )
}
