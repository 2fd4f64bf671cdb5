import { Text } from '@mantine/core'
import type { DeliveryWithLog } from '@parley/contract/webhooks'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { read } from '../../api.ts'
import { CopyId } from '../../ui/copy-id.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { When } from '../../ui/when.tsx'
import { Attempts } from './attempts.tsx'
import { Countdown } from './countdown.tsx'
import { DeliveryRequestPanel } from './delivery-request.tsx'
import { Resend } from './resend.tsx'
import { deliveryStatus, statusText } from './webhook-words.ts'
import './webhooks.css'

export function DeliveryDetail() {
  const { deliveryId = '' } = useParams({ strict: false })
  const query = useQuery({
    queryKey: ['deliveries', 'delivery', deliveryId],
    queryFn: ({ signal }) =>
      read<DeliveryWithLog>(`/api/webhooks/deliveries/${encodeURIComponent(deliveryId)}`, {}, signal),
  })
  const delivery = query.data
  return (
    <Page
      title={delivery ? `Delivery of ${delivery.event_type}` : 'Delivery'}
      lead={
        delivery ? (
          <Link className="link" to="/webhooks/$endpointId" params={{ endpointId: delivery.endpoint_id }}>
            Its endpoint
          </Link>
        ) : (
          <Link className="link" to="/webhooks">
            All webhooks
          </Link>
        )
      }
      actions={delivery && <Resend delivery={delivery} />}
    >
      <Loaded query={query} rows={8}>
        {(found) => (
          <>
            <DeliveryFacts delivery={found} />
            <Attempts log={found.log} />
            <DeliveryRequestPanel delivery={found} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function DeliveryFacts({ delivery }: { delivery: DeliveryWithLog }) {
  const { tone, words } = deliveryStatus(delivery)
  return (
    <Panel title="State" actions={<Mark tone={tone}>{words}</Mark>}>
      <Text size="sm" mb="xs">
        {statusText[delivery.status]}
      </Text>
      <Facts>
        {delivery.next_attempt_at && (
          <Fact name="Next attempt">
            <When at={delivery.next_attempt_at} /> (<Countdown to={delivery.next_attempt_at} />)
          </Fact>
        )}
        <Fact name="Attempts so far">{delivery.attempts}</Fact>
        <Fact name="Event made">
          <When at={delivery.created_at} />
        </Fact>
        {delivery.call_id && (
          <Fact name="Call">
            <Link className="link" to="/calls/$callId" params={{ callId: delivery.call_id }}>
              Open the call
            </Link>
          </Fact>
        )}
        <Fact name="Event ID">
          <CopyId id={delivery.event_id} label="event ID" />
        </Fact>
        <Fact name="Delivery ID">
          <CopyId id={delivery.delivery_id} label="delivery ID" />
        </Fact>
      </Facts>
    </Panel>
  )
}
