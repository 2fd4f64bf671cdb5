import { Button, Text } from '@mantine/core'
import type { CallDelivery } from '@parley/contract/dashboard-calls'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { write } from '../../api.ts'
import { explain } from '../../explain.ts'
import { refresh } from '../../live.ts'
import { useMay } from '../../session.ts'
import { CopyId } from '../../ui/copy-id.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Mark, type Tone } from '../../ui/mark.tsx'
import { toast } from '../../ui/toast.ts'
import { When } from '../../ui/when.tsx'
import { attemptText, hostOf } from './timeline.ts'
import { useCallNews } from './use-call.ts'

const statusWords: Record<CallDelivery['status'], { words: string; tone: Tone }> = {
  pending: { words: 'On its way', tone: 'busy' },
  succeeded: { words: 'Delivered', tone: 'good' },
  failed: { words: 'Failed', tone: 'bad' },
  held: { words: 'Held: the endpoint is off', tone: 'warn' },
  dropped: { words: 'Dropped', tone: 'calm' },
}

/** Who was told about this call, and what came of it. */
export function Deliveries({ callId }: { callId: string }) {
  const news = useCallNews(callId)
  return (
    <Loaded query={news}>
      {({ deliveries }) =>
        deliveries.length === 0 ? (
          <Text c="dimmed">
            No endpoint was told about this call. <Link to="/webhooks">Webhooks</Link> tell your own systems about every
            outcome.
          </Text>
        ) : (
          <ul className="deliveries" aria-label="Webhook deliveries">
            {deliveries.map((delivery) => (
              <OneDelivery key={delivery.delivery_id} delivery={delivery} />
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

function OneDelivery({ delivery }: { delivery: CallDelivery }) {
  const mayManage = useMay('manage')
  const client = useQueryClient()
  const { words, tone } = statusWords[delivery.status]
  const resend = useMutation({
    mutationFn: () => write('POST', `/api/webhooks/deliveries/${delivery.delivery_id}/replay`),
    onSuccess: () => toast('Sent again. The outcome appears here in a moment.'),
    onSettled: () => refresh(client, ['deliveries']),
  })
  return (
    <li className="delivery">
      <div className="delivery-head">
        <strong>{delivery.event_type}</strong>
        <Mark tone={tone}>{words}</Mark>
      </div>
      <div className="dimmed small foreign">to {hostOf(delivery.endpoint_url)}</div>
      <ol className="attempts">
        {delivery.log.map((attempt) => (
          <li key={attempt.number}>
            <span className="foreign">{attemptText(attempt)}</span>
            {attempt.advice && <span className="dimmed"> {attempt.advice}</span>}
          </li>
        ))}
      </ol>
      {delivery.next_attempt_at && (
        <div className="small">
          Next attempt <When at={delivery.next_attempt_at} />
        </div>
      )}
      <div className="delivery-foot small">
        <CopyId id={delivery.delivery_id} label="delivery ID" />
        <Link to="/webhooks/deliveries/$deliveryId" params={{ deliveryId: delivery.delivery_id }}>
          All attempts
        </Link>
        {mayManage && (
          <Button size="compact-xs" variant="default" loading={resend.isPending} onClick={() => resend.mutate()}>
            Send again
          </Button>
        )}
      </div>
      {resend.error && <FailureNote explanation={explain(resend.error)} />}
    </li>
  )
}
