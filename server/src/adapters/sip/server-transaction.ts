import type { ReceivedRequest, SipResponse } from './message.ts'
import type { Source } from './peer.ts'
import { giveUpMs, repeat, type Timing } from './timing.ts'

export type ServerTransaction = {
  request: ReceivedRequest
  source: Source
  /** Provisionals, then one final answer. A 2xx to an INVITE may be given again: that is how it is retransmitted. */
  respond(response: SipResponse): void
  /** A repetition of the request, or the ACK of a refusal. */
  receive(request: ReceivedRequest): void
  isAnswered(): boolean
  destroy(): void
}
export type ServerDeps = { timing: Timing; send(response: SipResponse): void; onGone(): void }

/** RFC 3261 §17.2, with the accepted state of RFC 6026. */
export function startServer(deps: ServerDeps, request: ReceivedRequest, source: Source): ServerTransaction {
  const { timing } = deps
  const isInvite = request.method === 'INVITE'
  const isUdp = source.transport === 'udp'
  let state: 'open' | 'accepted' | 'completed' | 'confirmed' | 'gone' = 'open'
  let last: SipResponse | null = null
  let stopRepeating = () => {}
  let lingering: NodeJS.Timeout | undefined

  function destroy(): void {
    if (state === 'gone') return
    state = 'gone'
    stopRepeating()
    clearTimeout(lingering)
    deps.onGone()
  }
  function linger(ms: number): void {
    clearTimeout(lingering)
    lingering = setTimeout(destroy, ms).unref()
  }

  function respond(response: SipResponse): void {
    if (state === 'accepted' && response.status >= 200 && response.status < 300) deps.send(response)
    if (state !== 'open') return
    last = response
    deps.send(response)
    if (response.status < 200) return
    if (isInvite && response.status < 300) state = 'accepted'
    else state = 'completed'
    if (state === 'completed' && isInvite && isUdp) {
      stopRepeating = repeat(timing, timing.t2Ms, () => deps.send(response))
    }
    linger(isInvite || isUdp ? giveUpMs(timing) : 0)
  }

  function receive(repeated: ReceivedRequest): void {
    if (repeated.method === 'ACK') {
      if (state !== 'completed') return
      state = 'confirmed'
      stopRepeating()
      linger(isUdp ? timing.t4Ms : 0)
    } else if (last && (state === 'open' || state === 'completed')) deps.send(last)
  }
  return { request, source, respond, receive, isAnswered: () => state !== 'open', destroy }
}
