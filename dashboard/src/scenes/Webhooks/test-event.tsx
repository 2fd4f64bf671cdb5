import { NativeSelect, Text } from '@mantine/core'
import { type EventType, eventTypeNames, eventTypes } from '@parley/contract/events'
import type { Endpoint, TestResult } from '@parley/contract/webhooks'
import { useState } from 'react'
import { faultsOf } from '../../form-faults.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { OutcomeView, RequestView } from './exchange.tsx'
import { endpointPath, useWebhookChange } from './webhook-queries.ts'

const events = eventTypeNames.map((type) => ({ value: type, label: type }))
const secrets = [
  { value: 'current', label: 'The secret in use' },
  { value: 'next', label: 'The new secret' },
]

/** Sent at once, and what came back is shown at once. */
export function TestEvent({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const [type, setType] = useState<EventType>('call.completed')
  const [secret, setSecret] = useState(endpoint.has_next_secret ? 'next' : 'current')
  const sending = useWebhookChange<TestResult>()
  const send = () =>
    sending.mutate({
      method: 'POST',
      path: `${endpointPath(endpoint.endpoint_id)}/test`,
      body: { event_type: type, ...(endpoint.has_next_secret ? { secret } : {}) },
    })
  return (
    <FormDialog
      title="Send a test event"
      doIt={sending.data ? 'Send again' : 'Send'}
      doing="Sending…"
      leave="Close"
      busy={sending.isPending}
      failure={sending.error}
      fields={['event_type', 'secret']}
      onSubmit={send}
      onClose={onClose}
    >
      <NativeSelect
        label="Event"
        description={eventTypes[type]}
        data={events}
        value={type}
        data-autofocus
        error={faultsOf(sending.error).event_type}
        onChange={(event) => setType(event.currentTarget.value as EventType)}
      />
      {endpoint.has_next_secret && (
        <NativeSelect
          label="Signed with"
          data={secrets}
          value={secret}
          error={faultsOf(sending.error).secret}
          onChange={(event) => setSecret(event.currentTarget.value)}
        />
      )}
      <Text size="sm" c="dimmed">
        Example data goes to {endpoint.url} with the header X-Webhook-Test. It counts for nothing and is not kept.
      </Text>
      {sending.data && (
        <section className="exchange" aria-label="What happened" aria-live="polite">
          <OutcomeView outcome={sending.data} />
          <details className="example">
            <summary>What was sent</summary>
            <RequestView request={sending.data.request} />
          </details>
        </section>
      )}
    </FormDialog>
  )
}
