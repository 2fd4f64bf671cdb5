import type { ReceivedResponse, SipRequest } from './message.ts'
import { type Hop, TransportError } from './peer.ts'
import { ackOfRefusal } from './request.ts'
import { giveUpMs, repeat, type Timing } from './timing.ts'

/** Nothing came in time, or it could not be sent. `left`: whether the far end may have got the request. */
export type Failure = { kind: 'timeout' | 'transport'; left: boolean; message: string }
export type ClientHandlers = {
  /** Each provisional; the final one; for an INVITE every 2xx, repeated and forked ones too (RFC 6026). */
  onResponse(response: ReceivedResponse): void
  onFailure(failure: Failure): void
}
export type ClientTransaction = {
  request: SipRequest
  hop: Hop
  receive(response: ReceivedResponse): void
  destroy(): void
}
export type ClientDeps = {
  timing: Timing
  send(request: SipRequest, hop: Hop): Promise<void>
  onGone(): void
}

/** RFC 3261 §17.1. INVITE and the others differ in their timers and in who acknowledges. */
export function startClient(
  deps: ClientDeps,
  request: SipRequest,
  hop: Hop,
  handlers: ClientHandlers,
): ClientTransaction {
  const { timing } = deps
  const isInvite = request.method === 'INVITE'
  const isUdp = hop.transport === 'udp'
  let state: 'trying' | 'proceeding' | 'completed' | 'accepted' | 'gone' = 'trying'
  let lingering: NodeJS.Timeout | undefined
  let sent = false

  const capMs = isInvite ? Number.POSITIVE_INFINITY : timing.t2Ms
  const stopRepeating = isUdp ? repeat(timing, capMs, () => void deps.send(request, hop).catch(() => {})) : () => {}
  const limit = setTimeout(
    () => fail({ kind: 'timeout', left: true, message: 'The far end did not answer.' }),
    giveUpMs(timing),
  )

  function destroy(): void {
    if (state === 'gone') return
    state = 'gone'
    stopRepeating()
    clearTimeout(limit)
    clearTimeout(lingering)
    deps.onGone()
  }
  function fail(failure: Failure): void {
    if (state !== 'trying' && state !== 'proceeding') return
    destroy()
    handlers.onFailure(failure)
  }
  function linger(ms: number): void {
    stopRepeating()
    clearTimeout(limit)
    lingering = setTimeout(destroy, ms).unref()
  }

  function receive(response: ReceivedResponse): void {
    if (state === 'gone') return
    const { status } = response
    if (state === 'completed') {
      if (isInvite && status >= 300) acknowledge(response)
      return
    }
    if (state === 'accepted') {
      if (status >= 200 && status < 300) handlers.onResponse(response)
      return
    }
    if (status < 200) {
      state = 'proceeding'
      // An INVITE may now take as long as it rings; anything else keeps asking, slowly.
      if (isInvite) {
        stopRepeating()
        clearTimeout(limit)
      }
    } else if (isInvite && status < 300) {
      state = 'accepted'
      linger(giveUpMs(timing))
    } else {
      state = 'completed'
      if (isInvite) acknowledge(response)
      linger(isUdp ? (isInvite ? giveUpMs(timing) : timing.t4Ms) : 0)
    }
    handlers.onResponse(response)
  }
  const acknowledge = (response: ReceivedResponse) =>
    void deps.send(ackOfRefusal(request, response), hop).catch(() => {})

  deps.send(request, hop).then(
    () => {
      sent = true
    },
    (error: unknown) => {
      const left = sent || !(error instanceof TransportError) || error.left
      fail({ kind: 'transport', left, message: error instanceof Error ? error.message : 'It could not be sent.' })
    },
  )
  return { request, hop, receive, destroy }
}
