import { Button } from '@mantine/core'
import type { Endpoint } from '@parley/contract/webhooks'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../session.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { ManagersOnly } from '../../ui/managers-only.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useFilters } from '../../use-filters.ts'
import { DeliveriesList } from './deliveries-list.tsx'
import { EditEndpoint } from './edit-endpoint.tsx'
import { DeleteEndpoint, SwitchOff } from './end-endpoint.tsx'
import { EndpointFacts, EndpointHealthPanel } from './endpoint-facts.tsx'
import { OffBanner } from './off-banner.tsx'
import { Recover } from './recover.tsx'
import { Recoveries } from './recoveries.tsx'
import { Rotate } from './rotate.tsx'
import { StagedSecret } from './staged-secret.tsx'
import { TestEvent } from './test-event.tsx'
import { useEndpoint } from './webhook-queries.ts'
import { hostOf } from './webhook-words.ts'
import './webhooks.css'

const dialogs = { edit: EditEndpoint, test: TestEvent, rotate: Rotate, off: SwitchOff, delete: DeleteEndpoint } as const
type Dialog = keyof typeof dialogs

export function EndpointDetail() {
  const { endpointId = '' } = useParams({ strict: false })
  const query = useEndpoint(endpointId)
  const title = query.data ? (query.data.description ?? hostOf(query.data.url)) : 'Endpoint'
  return (
    <Page
      title={title}
      lead={
        <Link className="link" to="/webhooks">
          All webhooks
        </Link>
      }
    >
      <Loaded query={query} rows={8}>
        {(endpoint) => <Content endpoint={endpoint} />}
      </Loaded>
    </Page>
  )
}

function Content({ endpoint }: { endpoint: Endpoint }) {
  const mayManage = useMay('manage')
  const [open, setOpen] = useState<Dialog | null>(null)
  // In the address, so that the list of endpoints can lead here.
  const {
    filters: { recover },
    set: change,
  } = useFilters()
  const { endpoint_id: endpointId, status } = endpoint
  const Dialog = open && dialogs[open]
  const button = (dialog: Dialog, words: string) => (
    <Button variant="default" onClick={() => setOpen(dialog)}>
      {words}
    </Button>
  )
  return (
    <>
      {status === 'disabled' && <OffBanner endpoint={endpoint} />}
      {endpoint.has_next_secret && <StagedSecret endpoint={endpoint} />}
      <ManagersOnly what="change endpoints and send again" />
      <div className="grid">
        <EndpointFacts endpoint={endpoint} />
        <EndpointHealthPanel endpoint={endpoint} />
      </div>
      {mayManage && (
        <Panel title="Actions">
          <div className="actions">
            {button('test', 'Send a test event')}
            {button('edit', 'Edit')}
            {button('rotate', 'Make a new secret')}
            {status === 'enabled' && (
              <Button
                variant="default"
                onClick={() => change({ recover: new Date(Date.now() - 86_400_000).toISOString() })}
              >
                Recover since…
              </Button>
            )}
            {status === 'enabled' && button('off', 'Switch off')}
            <Button variant="subtle" color="red" onClick={() => setOpen('delete')}>
              Delete
            </Button>
          </div>
        </Panel>
      )}
      <Recoveries endpointId={endpointId} />
      <DeliveriesList endpointId={endpointId} />
      {Dialog && <Dialog endpoint={endpoint} onClose={() => setOpen(null)} />}
      {recover && mayManage && status === 'enabled' && (
        <Recover endpointId={endpointId} since={recover} onClose={() => change({ recover: undefined })} />
      )}
    </>
  )
}
