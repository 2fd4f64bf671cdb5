// One line from the request to the last attempt to tell somebody about it.
import type { CallDelivery, CallDetail, CallNews, CallRequests } from '@parley/contract/dashboard-calls'
import type { Tone } from '../../ui/mark.tsx'
import { failureWords, sourceWords } from '../Calls/call-words.ts'

export interface Moment {
  at: string
  title: string
  text?: string
  tone: Tone
  ids: { label: string; id: string }[]
}

const latest = (a: string, b: string | null): string => (b !== null && b > a ? b : a)

const noIds: Moment['ids'] = []

function states({ call, source, attempt, queued_at, ringing_at, answered_at }: CallDetail): Moment[] {
  const moment = (at: string | null, title: string, tone: Tone, text?: string): Moment[] =>
    at === null ? [] : [{ at, title, tone, ids: noIds, ...(text ? { text } : {}) }]
  const made = attempt > 1 ? `${sourceWords[source]}, number ${attempt}` : sourceWords[source]
  const failure = call.error && failureWords[call.error.code]
  const ended = call.status === 'completed' ? 'Ended' : call.status === 'disallowed' ? 'Not allowed' : 'Failed'
  return [
    ...moment(call.created_at, 'Created', 'calm', made),
    ...moment(queued_at, 'Due, waiting for a line', 'calm'),
    ...moment(call.call_triggered_at, 'Dialled', 'busy'),
    ...moment(ringing_at, 'Ringing', 'busy'),
    ...moment(answered_at, 'Answered', 'good'),
    ...moment(call.completed_at, ended, call.status === 'completed' ? 'good' : 'bad', failure?.title),
    ...moment(call.cancelled_at, 'Cancelled', 'calm'),
  ]
}

/** An event is as old as its transaction; the moment it reports may be a little younger. */
const eventMoments = ({ events }: CallNews, { call }: CallDetail): Moment[] =>
  events.map(({ event_id, event_type, created_at }) => ({
    at: event_type === 'call.initiated' ? latest(created_at, call.call_triggered_at) : created_at,
    title: `Event ${event_type}`,
    tone: 'calm',
    ids: [{ label: 'event ID', id: event_id }],
  }))

export function attemptText({ status_code, failure, detail, duration_ms }: CallDelivery['log'][number]): string {
  const outcome = status_code === null ? (detail ?? failure ?? 'No answer') : `Answered ${status_code}`
  return `${outcome} after ${duration_ms} ms`
}

const attempts = ({ deliveries }: CallNews): Moment[] =>
  deliveries.flatMap((delivery) =>
    delivery.log.map((attempt) => ({
      at: attempt.started_at,
      title: `${attempt.failure === null ? 'Delivered' : 'Delivery failed'}: ${delivery.event_type}, attempt ${attempt.number}`,
      text: `${attemptText(attempt)} · ${hostOf(delivery.endpoint_url)}`,
      tone: attempt.failure === null ? 'good' : 'bad',
      ids: [{ label: 'delivery ID', id: delivery.delivery_id }],
    })),
  )

export function hostOf(url: string | null): string {
  if (url === null) return 'an endpoint that is gone'
  return URL.canParse(url) ? new URL(url).host : url
}

const requestMoments = (requests: CallRequests): Moment[] =>
  requests.map(({ request_id, at, action, status }) => ({
    at,
    title: `Request to the inbound hook: ${action ?? 'unknown action'}`,
    text: `Answered ${status}`,
    tone: 'calm',
    ids: [{ label: 'request ID', id: request_id }],
  }))

const emptyNews: CallNews = { events: [], deliveries: [] }

/** In order of time; what happened in the same millisecond stays in the order of cause. */
export const timelineOf = (detail: CallDetail, news: CallNews = emptyNews, requests: CallRequests = []): Moment[] =>
  [...requestMoments(requests), ...states(detail), ...eventMoments(news, detail), ...attempts(news)].sort(
    (a, b) => Date.parse(a.at) - Date.parse(b.at),
  )
