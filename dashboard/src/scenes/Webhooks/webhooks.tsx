import { Button, Text } from '@mantine/core'
import { eventExamples } from '@parley/contract/event-examples'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../session.ts'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { ManagersOnly } from '../../ui/managers-only.tsx'
import { Page } from '../../ui/page.tsx'
import { EndpointCard } from './endpoint-card.tsx'
import { NewEndpoint } from './new-endpoint.tsx'
import { Notices } from './notices.tsx'
import { useEndpoints, useHealth } from './webhook-queries.ts'
import './webhooks.css'

/** What a receiver gets, to be tried out on one's own machine. */
const tryIt = [
  `curl -X POST 'https://example.com/parley' -H 'content-type: application/json' \\`,
  `  -d '${JSON.stringify(eventExamples['call.failed'])}'`,
].join('\n')

export function Webhooks() {
  const query = useEndpoints()
  const health = useHealth()
  const mayManage = useMay('manage')
  const [isAdding, setAdding] = useState(false)
  const limit = health.data?.endpoint_limit
  const isFull = limit !== undefined && (query.data?.length ?? 0) >= limit
  const add = mayManage && (
    <Button leftSection={<Icon name="plus" />} disabled={isFull} onClick={() => setAdding(true)}>
      New endpoint
    </Button>
  )
  return (
    <Page
      title="Webhooks"
      lead="Parley tells your server what happened, as soon as it happens."
      actions={
        <>
          <Button variant="default" renderRoot={(props) => <Link to="/webhooks/signature" {...props} />}>
            Signature checker
          </Button>
          {add}
        </>
      }
    >
      <ManagersOnly what="add and change endpoints" />
      <Loaded query={query}>
        {(endpoints) =>
          endpoints.length === 0 ? (
            <Empty
              title="No endpoint yet"
              text="Add the address of your server. This is what it will receive when a call fails:"
              action={add}
              curl={tryIt}
            />
          ) : (
            <>
              <Text size="sm" c="dimmed">
                {limit !== undefined &&
                  `${endpoints.length} of ${limit} ${limit === 1 ? 'endpoint' : 'endpoints'} of your plan in use.`}
                {isFull && ' Delete one, or choose a larger plan, to add another.'}
              </Text>
              {endpoints.map((endpoint) => (
                <EndpointCard
                  key={endpoint.endpoint_id}
                  endpoint={endpoint}
                  health={health.data?.endpoints.find((each) => each.endpoint_id === endpoint.endpoint_id)}
                />
              ))}
              <Notices endpoints={endpoints} />
            </>
          )
        }
      </Loaded>
      {isAdding && <NewEndpoint onClose={() => setAdding(false)} />}
    </Page>
  )
}
