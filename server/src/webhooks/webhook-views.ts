import type { Delivery as DeliveryView, Endpoint as EndpointView } from '@parley/contract/webhooks'
import type { FailureClass } from '../platform/safe-post.ts'
import { type Attempt, adviceFor, type Delivery } from './delivery.ts'
import type { Endpoint } from './endpoint.ts'
import type { Notice } from './endpoints.service.ts'
import type { Recovery } from './recoveries.service.ts'

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

export const endpointView = (endpoint: Endpoint): EndpointView => ({
  endpoint_id: endpoint.endpointId,
  url: endpoint.url,
  description: endpoint.description,
  events: endpoint.events,
  signing: endpoint.signing,
  status: endpoint.status,
  disabled_reason: endpoint.disabledReason,
  disabled_at: iso(endpoint.disabledAt),
  consecutive_failures: endpoint.consecutiveFailures,
  has_next_secret: endpoint.hasNextSecret,
  created_at: endpoint.createdAt.toISOString(),
  updated_at: endpoint.updatedAt.toISOString(),
})

export const deliveryView = (delivery: Delivery): DeliveryView => ({
  delivery_id: delivery.deliveryId,
  endpoint_id: delivery.endpointId,
  event_id: delivery.eventId,
  event_type: delivery.eventType,
  call_id: delivery.callId,
  status: delivery.status,
  attempts: delivery.attempts,
  next_attempt_at: iso(delivery.nextAttemptAt),
  last_attempt_at: iso(delivery.lastAttemptAt),
  created_at: delivery.createdAt.toISOString(),
})

type Exchange = {
  durationMs: number
  statusCode: number | null
  failure: FailureClass | null
  detail: string | null
  response: string | null
}
export const exchangeView = ({ durationMs, statusCode, failure, detail, response }: Exchange) => ({
  duration_ms: durationMs,
  status_code: statusCode,
  failure,
  detail,
  advice: adviceFor(failure),
  response,
})

export const attemptView = (attempt: Attempt) => ({
  number: attempt.number,
  started_at: attempt.startedAt.toISOString(),
  ...exchangeView(attempt),
  next_attempt_at: iso(attempt.nextAttemptAt),
})

export const recoveryView = (recovery: Recovery) => ({
  recovery_id: recovery.recoveryId,
  endpoint_id: recovery.endpointId,
  since: recovery.since.toISOString(),
  until: recovery.until.toISOString(),
  status: recovery.status,
  total: recovery.total,
  replayed: recovery.replayed,
  created_at: recovery.createdAt.toISOString(),
  ended_at: iso(recovery.endedAt),
})

export const noticeView = (notice: Notice) => ({
  endpoint_id: notice.endpointId,
  kind: notice.kind,
  consecutive_failures: notice.failures,
  last_failure: notice.lastFailure,
  created_at: notice.createdAt.toISOString(),
})
