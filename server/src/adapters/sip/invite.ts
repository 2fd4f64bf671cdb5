import { DialRefused } from '../../voice/ports.ts'
import type { CallEnd } from './call.ts'
import type { Failure } from './client-transaction.ts'
import { hopToUri } from './core.ts'
import { type Dialling, endDialling, forget, type Place } from './dialling.ts'
import { onAccepted, onProgress, userPart } from './forks.ts'
import { type Header, type ReceivedResponse, type SipRequest, valuesOf } from './message.ts'
import { parseNameAddr } from './name-addr.ts'
import { allowed, contactOf, createRequest, supported } from './request.ts'
import { formatSdp } from './sdp.ts'
import { leastOf, mostSeconds } from './session-timer.ts'
import { giveUpMs } from './timing.ts'
import { refusalOf } from './trunk.ts'

const mostRedirects = 5
const mostChallenges = 3
const mostLonger = 3

/** The INVITE left and nobody said a word: it may ring, or not. Never dialled again (decision 0030). */
export class DialUnanswered extends Error {
  override readonly name = 'DialUnanswered'
}

/** To the next place there is. Only called while no earlier INVITE of this dial can still make a phone ring. */
export function tryNextPlace(dialling: Dialling, last: { status: number | null; words: string }): void {
  const place = dialling.places.shift()
  if (place) sendInvite(dialling, place)
  else fail(dialling, last.status, last.words)
}

function sendInvite(dialling: Dialling, place: Place): void {
  const { core, trunk } = dialling
  dialling.place = place
  dialling.provisional = false
  dialling.cseq += 1
  const request = core.credentialsOf(trunk).apply(inviteRequest(dialling, place))
  const transaction = core.transactions.request(request, place.hop, {
    onResponse: (response) => onResponse(dialling, transaction.request, response),
    onFailure: (failure) => onFailure(dialling, failure),
  })
  dialling.transaction = transaction
}

function inviteRequest(dialling: Dialling, { hop, uri }: Place): SipRequest {
  const headers: Header[] = [
    ['contact', contactOf(hop, userPart(dialling))],
    ['allow', allowed],
    ['supported', supported],
    ['session-expires', String(dialling.sessionSeconds)],
    ['min-se', String(dialling.leastSeconds)],
  ]
  const body = { type: 'application/sdp', text: formatSdp(dialling.own, dialling.options.media.address) }
  const { from, to, id: callId, cseq } = dialling
  return createRequest({ method: 'INVITE', uri, from, to, callId, cseq, headers, body })
}

function onFailure(dialling: Dialling, failure: Failure): void {
  if (!failure.left && !dialling.cancelled) {
    tryNextPlace(dialling, { status: null, words: `The carrier cannot be reached: ${failure.message}` })
    return
  }
  dialling.refused(new DialUnanswered('The carrier did not answer; whether it rang is not known.'))
  endDialling(dialling, { reason: 'carrier_error', by: 'carrier', status: null, words: 'The carrier did not answer.' })
  forget(dialling)
}

function onResponse(dialling: Dialling, invite: SipRequest, response: ReceivedResponse): void {
  const { status } = response
  // The answer to an INVITE that has been replaced by another changes nothing, unless someone picked up.
  const isCurrent = invite === dialling.transaction?.request
  if (status >= 200 && status < 300) {
    dialling.taken()
    void onAccepted(dialling, invite, response)
      .catch((err: unknown) => dialling.core.log.warn({ err }, 'an answered call could not be acknowledged'))
      .finally(() => forget(dialling))
    return
  }
  if (!isCurrent) return
  if (status < 200) onProvisional(dialling, invite, response)
  else if (dialling.cancelled || dialling.ended) {
    fail(dialling, status, refusalOf(status).words)
  } else onRefused(dialling, invite, response)
}

function onProvisional(dialling: Dialling, invite: SipRequest, response: ReceivedResponse): void {
  dialling.provisional = true
  if (dialling.cancelled) {
    sendCancel(dialling)
    return
  }
  dialling.taken()
  if (response.status === 100) return
  if (!dialling.rang && (response.status === 180 || response.status === 183)) {
    dialling.rang = true
    dialling.events.add({ type: 'ringing' })
    limitRinging(dialling)
  }
  onProgress(dialling, invite, response)
}

/** Another try is allowed only where the RFC itself says so, and the place that answered is done with the call. */
function onRefused(dialling: Dialling, invite: SipRequest, response: ReceivedResponse): void {
  const { status } = response
  const { words } = refusalOf(status)
  const place = dialling.place
  if ((status === 401 || status === 407) && place && !dialling.rang && dialling.challenges < mostChallenges) {
    dialling.challenges += 1
    const canAnswer = dialling.core.credentialsOf(dialling.trunk).learn(response, invite)
    if (canAnswer) sendInvite(dialling, place)
    else fail(dialling, status, words)
  } else if (status >= 300 && status < 400) void redirect(dialling, response)
  else if (
    status === 422 &&
    place &&
    !dialling.rang &&
    dialling.sessionSeconds < mostSeconds &&
    dialling.longer < mostLonger
  ) {
    dialling.longer += 1
    const least = leastOf(response) ?? 0
    const isMore = least > dialling.sessionSeconds && least <= mostSeconds
    dialling.sessionSeconds = isMore ? least : mostSeconds
    // What one place on the way needs, the next must be told too (RFC 4028 §7.4).
    if (isMore) dialling.leastSeconds = least
    sendInvite(dialling, place)
  } else if (status === 503 && !dialling.rang) tryNextPlace(dialling, { status, words })
  else fail(dialling, status, words)
}

async function redirect(dialling: Dialling, response: ReceivedResponse): Promise<void> {
  const { core, trunk } = dialling
  const last = {
    status: response.status,
    words: 'The carrier sent the call elsewhere, but not to a place we can reach.',
  }
  const room = mostRedirects - dialling.redirects
  const uris = contactsOf(response).slice(0, Math.max(room, 0))
  const found = await Promise.allSettled(uris.map((uri) => hopToUri(core, trunk, uri)))
  const places = found.flatMap((each, index): Place[] =>
    each.status === 'fulfilled' ? [{ hop: each.value, uri: uris[index] ?? '' }] : [],
  )
  dialling.redirects += Math.max(places.length, 1)
  dialling.places = places
  if (dialling.cancelled) fail(dialling, response.status, last.words)
  else tryNextPlace(dialling, last)
}

/** Best first; only what can be asked (no method, no headers smuggled along). */
function contactsOf(response: ReceivedResponse): string[] {
  const contacts = valuesOf(response, 'contact').flatMap((value) => {
    try {
      const { uri, params } = parseNameAddr(value)
      return [{ uri: uri.replace(/\?.*$/, ''), q: Number(params.get('q') ?? 1) || 0 }]
    } catch {
      return []
    }
  })
  return contacts.sort((a, b) => b.q - a.q).map(({ uri }) => uri)
}

function fail(dialling: Dialling, status: number | null, words: string): void {
  const reason = status === null ? 'carrier_error' : refusalOf(status).reason
  dialling.refused(new DialRefused(reason, words))
  const by = reason === 'busy' || reason === 'no_answer' ? 'callee' : 'carrier'
  endDialling(dialling, { reason, by, status, words })
  forget(dialling)
}

/** How long a carrier may look for the callee besides the time the phone rings. */
const searchSeconds = 20

/** From the INVITE on, and anew when it begins to ring; never much longer than was asked for. */
export function limitRinging(dialling: Dialling): void {
  const now = performance.now()
  dialling.startedMs ??= now
  const ringMs = dialling.options.ringSeconds * 1_000
  const leftMs = Math.min(ringMs, dialling.startedMs + ringMs + searchSeconds * 1_000 - now)
  clearTimeout(dialling.ringTimer)
  dialling.ringTimer = setTimeout(() => {
    const words = dialling.rang ? 'It rang and nobody answered.' : 'The carrier did not reach the callee in time.'
    giveUp(dialling, { reason: 'no_answer', by: 'callee', status: null, words })
  }, leftMs)
}

/** Ends a call nobody has answered yet, and stops the ringing. */
export function giveUp(dialling: Dialling, end: CallEnd, error: Error = new DialUnanswered(end.words)): void {
  endDialling(dialling, end)
  cancel(dialling)
  dialling.refused(error)
}

/** Stops the ringing. Before a provisional answer there is nothing to cancel yet: it is sent as soon as one comes. */
function cancel(dialling: Dialling): void {
  if (dialling.cancelled) return
  dialling.cancelled = true
  if (!dialling.transaction) forget(dialling)
  else if (dialling.provisional) sendCancel(dialling)
  // What has not arrived by now must not begin to ring any more.
  else dialling.transaction.quiet()
}

function sendCancel(dialling: Dialling): void {
  const { transaction, core } = dialling
  if (dialling.cancelSent || !transaction) return
  dialling.cancelSent = true
  core.transactions.cancel(transaction)
  // RFC 3261 §9.1: without a final answer by then, there will be none.
  setTimeout(() => {
    transaction.destroy()
    forget(dialling)
  }, giveUpMs(core.timing)).unref()
}
