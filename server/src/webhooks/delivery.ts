import type { EventType } from '@parley/contract/events'
import type { deliveryStatuses } from '@parley/contract/webhooks'
import type { FailureClass } from '../platform/safe-post.ts'

export type DeliveryStatus = (typeof deliveryStatuses)[number]

export type Delivery = {
  deliveryId: string
  endpointId: string
  eventId: string
  eventType: EventType
  callId: string | null
  status: DeliveryStatus
  attempts: number
  nextAttemptAt: Date | null
  lastAttemptAt: Date | null
  createdAt: Date
}

export type Attempt = {
  number: number
  startedAt: Date
  durationMs: number
  statusCode: number | null
  failure: FailureClass | null
  detail: string | null
  response: string | null
  nextAttemptAt: Date | null
}

const advice: Record<FailureClass, string> = {
  dns: 'The host name of the URL does not resolve. Check its spelling and its DNS records.',
  refused_address: 'The URL leads to an address webhooks may not reach. Use a server with a public address.',
  connect: 'Nobody accepted the connection. Check that the server runs and that its firewall lets us in.',
  tls: 'The TLS connection failed. Check that the certificate is valid, complete and made for this host name.',
  timeout: 'No answer came in time. Answer with 2xx first and do the work afterwards.',
  reset: 'The connection was closed before an answer came. Look for crashes and proxies in front of the server.',
  protocol: 'What came back was not a valid HTTP answer, or its headers were too large.',
  redirect: 'The server answered with a redirect, which is never followed. Register the address it points to.',
  status: 'The server answered with an error. Its own log says why.',
}

/** What a person can do about it. */
export const adviceFor = (failure: FailureClass | null): string | null => (failure ? advice[failure] : null)
