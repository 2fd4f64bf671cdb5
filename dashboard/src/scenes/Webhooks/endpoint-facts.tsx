import { Text } from '@mantine/core'
import type { Endpoint } from '@parley/contract/webhooks'
import { CopyId } from '../../ui/copy-id.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Panel } from '../../ui/panel.tsx'
import { When } from '../../ui/when.tsx'
import { Sparkline } from './sparkline.tsx'
import { Streak } from './streak.tsx'
import { useHealth } from './webhook-queries.ts'
import { shareWords, statusOfEndpoint } from './webhook-words.ts'

export function EndpointFacts({ endpoint }: { endpoint: Endpoint }) {
  const { tone, words } = statusOfEndpoint(endpoint)
  return (
    <Panel title="Endpoint" actions={<Mark tone={tone}>{words}</Mark>}>
      <Facts>
        <Fact name="URL">{endpoint.url}</Fact>
        <Fact name="Events">{endpoint.events.includes('*') ? 'All' : endpoint.events.join(', ')}</Fact>
        <Fact name="Signing">{endpoint.signing ? 'On' : 'Off'}</Fact>
        <Fact name="Created">
          <When at={endpoint.created_at} />
        </Fact>
        <Fact name="ID">
          <CopyId id={endpoint.endpoint_id} label="endpoint ID" />
        </Fact>
      </Facts>
    </Panel>
  )
}

export function EndpointHealthPanel({ endpoint }: { endpoint: Endpoint }) {
  const { data } = useHealth()
  const health = data?.endpoints.find((each) => each.endpoint_id === endpoint.endpoint_id)
  return (
    <Panel title="Health">
      <div className="health">
        {health && (
          <div className="endpoint-health">
            <Sparkline hours={health.hours} label={`Last 24 hours: ${shareWords(health)}`} />
            <Text size="sm">{shareWords(health)}</Text>
            {data && (
              <Text size="xs" c="dimmed">
                Since <When at={data.since} />, one bar an hour
              </Text>
            )}
          </div>
        )}
        <Streak failures={endpoint.consecutive_failures} />
      </div>
    </Panel>
  )
}
