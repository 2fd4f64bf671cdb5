import { NativeSelect, Text, TextInput } from '@mantine/core'
import { eventTypeNames } from '@parley/contract/events'
import type { Delivery } from '@parley/contract/webhooks'
import { Link } from '@tanstack/react-router'
import { useSignedIn } from '../../session.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Mark } from '../../ui/mark.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { When } from '../../ui/when.tsx'
import { useFilters } from '../../use-filters.ts'
import { usePages } from '../../use-pages.ts'
import { instantOfText } from '../../zoned-time.ts'
import { deliveryChoices, deliveryStatus } from './webhook-words.ts'

const columns: Column<Delivery>[] = [
  {
    label: 'Event',
    cell: (delivery) => (
      <Link className="link" to="/webhooks/deliveries/$deliveryId" params={{ deliveryId: delivery.delivery_id }}>
        {delivery.event_type}
      </Link>
    ),
  },
  {
    label: 'State',
    cell: (delivery) => {
      const { tone, words } = deliveryStatus(delivery)
      return <Mark tone={tone}>{words}</Mark>
    },
  },
  { label: 'Attempts', cell: (delivery) => delivery.attempts, align: 'end' },
  { label: 'Made', cell: (delivery) => <When at={delivery.created_at} /> },
  { label: 'Last attempt', cell: (delivery) => <When at={delivery.last_attempt_at} />, wideOnly: true },
  { label: 'Next attempt', cell: (delivery) => <When at={delivery.next_attempt_at} />, wideOnly: true },
]

const events = [{ value: '', label: 'All events' }, ...eventTypeNames.map((type) => ({ value: type, label: type }))]

/** What was sent to one endpoint; the filters stand in the address. */
export function DeliveriesList({ endpointId }: { endpointId: string }) {
  const zone = useSignedIn().organisation.timezone
  const {
    filters: { status = '', event = '', since = '' },
    set: change,
  } = useFilters()
  const filters = { status, event_type: event, since: instantOfText(since, zone) }
  const query = usePages<Delivery>(['deliveries', 'list', endpointId, filters], '/api/webhooks/deliveries', {
    endpoint_id: endpointId,
    ...filters,
    limit: 25,
  })
  const isFiltered = status !== '' || event !== '' || since !== ''
  return (
    <Panel title="Deliveries">
      <div className="filters">
        <NativeSelect
          label="State"
          size="xs"
          data={deliveryChoices}
          value={status}
          onChange={({ currentTarget }) => change({ status: currentTarget.value })}
        />
        <NativeSelect
          label="Event"
          size="xs"
          data={events}
          value={event}
          onChange={({ currentTarget }) => change({ event: currentTarget.value })}
        />
        <TextInput
          type="datetime-local"
          label={`Since (${zone} time)`}
          size="xs"
          value={since}
          onChange={({ currentTarget }) => change({ since: currentTarget.value })}
        />
      </div>
      <Loaded query={query}>
        {(rows) => {
          if (rows.length === 0) {
            return (
              <Text c="dimmed" mt="sm">
                {isFiltered ? 'Nothing fits these filters.' : 'Nothing yet. The next event appears here by itself.'}
              </Text>
            )
          }
          return (
            <>
              <Table label="Deliveries" columns={columns} rows={rows} keyOf={(delivery) => delivery.delivery_id} />
              <MoreButton list={query} />
            </>
          )
        }}
      </Loaded>
    </Panel>
  )
}
