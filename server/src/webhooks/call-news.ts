import type { CallNews } from '@parley/contract/dashboard-calls'
import type { Queryable } from '../platform/db.ts'
import { selectDeliveriesOfCall, selectEventsOfCall } from './call-news.store.ts'
import { attemptView, deliveryView } from './webhook-views.ts'

/** What was told about a call, to whom, and what came of each attempt. */
export async function newsOfCall(db: Queryable, organisationId: string, callId: string): Promise<CallNews> {
  const [events, deliveries] = await Promise.all([
    selectEventsOfCall(db, organisationId, callId),
    selectDeliveriesOfCall(db, organisationId, callId),
  ])
  return {
    events: events.map(({ created_at, ...event }) => ({ ...event, created_at: created_at.toISOString() })),
    deliveries: deliveries.map(({ endpointUrl, log, ...delivery }) => ({
      ...deliveryView(delivery),
      endpoint_url: endpointUrl,
      log: log.map(attemptView),
    })),
  }
}
