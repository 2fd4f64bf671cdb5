import { NativeSelect, Text } from '@mantine/core'
import type { DeliveryRequest, DeliveryWithLog } from '@parley/contract/webhooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { read } from '../../api.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { RequestView } from './exchange.tsx'

/** Bodies are not kept: what an attempt sent is made again when somebody wants to see it. */
export function DeliveryRequestPanel({ delivery }: { delivery: DeliveryWithLog }) {
  const { delivery_id, log } = delivery
  const [chosen, setChosen] = useState('')
  const attempt = chosen === '' ? (log.at(-1)?.number ?? null) : Number(chosen)
  const query = useQuery({
    queryKey: ['deliveries', 'request', delivery_id, attempt],
    queryFn: ({ signal }) =>
      read<DeliveryRequest>(`/api/webhooks/deliveries/${delivery_id}/request`, { attempt }, signal),
  })
  return (
    <Panel
      title="Request"
      actions={
        log.length > 1 && (
          <NativeSelect
            aria-label="Attempt"
            size="xs"
            data={log.map(({ number }) => ({ value: String(number), label: `Attempt ${number}` })).toReversed()}
            value={String(attempt)}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
        )
      }
    >
      <Text size="sm" c="dimmed" mb="sm">
        {attempt === null
          ? 'As it would be sent now.'
          : 'Made again for the time of this attempt; we do not keep what was sent. It differs only if signing or sharing was switched since.'}{' '}
        The signature is not shown. Links to recording and transcript work for five minutes after the attempt.
      </Text>
      <Loaded query={query}>{(request) => <RequestView request={request} />}</Loaded>
    </Panel>
  )
}
