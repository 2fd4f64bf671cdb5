import { Text } from '@mantine/core'
import type { Endpoint, EndpointHealth } from '@parley/contract/webhooks'
import { Link } from '@tanstack/react-router'
import { Mark } from '../../ui/mark.tsx'
import { Panel } from '../../ui/panel.tsx'
import { OffBanner } from './off-banner.tsx'
import { Sparkline } from './sparkline.tsx'
import { Streak } from './streak.tsx'
import { hostOf, shareWords, statusOfEndpoint } from './webhook-words.ts'

const eventsWords = (events: readonly string[]): string => (events.includes('*') ? 'All events' : events.join(', '))

export function EndpointCard({ endpoint, health }: { endpoint: Endpoint; health: EndpointHealth | undefined }) {
  const { tone, words } = statusOfEndpoint(endpoint)
  const share = health ? shareWords(health) : '…'
  return (
    <Panel title={endpoint.description ?? hostOf(endpoint.url)} actions={<Mark tone={tone}>{words}</Mark>}>
      <div className="endpoint">
        <div className="endpoint-words">
          <Link className="link" to="/webhooks/$endpointId" params={{ endpointId: endpoint.endpoint_id }}>
            {endpoint.url}
          </Link>
          <Text size="sm" c="dimmed">
            {eventsWords(endpoint.events)} · {endpoint.signing ? 'signed' : 'not signed'}
          </Text>
        </div>
        <div className="endpoint-health">
          {health && <Sparkline hours={health.hours} label={`Last 24 hours: ${share}`} />}
          <Text size="sm">{share}</Text>
        </div>
        {endpoint.status === 'enabled' && <Streak failures={endpoint.consecutive_failures} />}
      </div>
      {endpoint.status === 'disabled' && <OffBanner endpoint={endpoint} />}
    </Panel>
  )
}
