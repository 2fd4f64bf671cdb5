import { type ClientHandlers, type ClientTransaction, startClient } from './client-transaction.ts'
import type { ReceivedMessage, ReceivedRequest, ReceivedResponse, SipRequest, SipResponse } from './message.ts'
import type { Hop, Source } from './peer.ts'
import { cancelOf, createBranch, createResponse, viaOf } from './request.ts'
import { type ServerTransaction, startServer } from './server-transaction.ts'
import type { Timing } from './timing.ts'
import type { Transport } from './transport.ts'

export type TransactionHooks = {
  /** An answer for someone we do not know, given without remembering anything; null for everybody else. */
  refuse(request: ReceivedRequest, source: Source): SipResponse | null
  onRequest(transaction: ServerTransaction): void
  /** The ACK of a 2xx belongs to no transaction. */
  onAck(request: ReceivedRequest): void
  onCancel(invite: ServerTransaction): void
}
export type Transactions = {
  request(request: SipRequest, hop: Hop, handlers: ClientHandlers): ClientTransaction
  /** To be asked only after a provisional answer (RFC 3261 §9.1). */
  cancel(invite: ClientTransaction): void
  /** The ACK of a 2xx: sent, never answered. */
  acknowledge(ack: SipRequest, hop: Hop): Promise<void>
  receive(message: ReceivedMessage, source: Source): void
  close(): void
}

export function createTransactions(
  deps: { timing: Timing; transport: () => Transport },
  hooks: TransactionHooks,
): Transactions {
  const clients = new Map<string, ClientTransaction>()
  const servers = new Map<string, ServerTransaction>()
  const send = (request: SipRequest, hop: Hop) => deps.transport().send(request, hop)
  const noHandlers: ClientHandlers = { onResponse: () => {}, onFailure: () => {} }

  function start(request: SipRequest, hop: Hop, branch: string, handlers: ClientHandlers): ClientTransaction {
    const key = `${branch}|${request.method}`
    const onGone = () => clients.delete(key)
    const transaction = startClient({ timing: deps.timing, send, onGone }, request, hop, handlers)
    clients.set(key, transaction)
    return transaction
  }

  function receiveRequest(request: ReceivedRequest, source: Source): void {
    const key = serverKey(request, request.method === 'ACK' ? 'INVITE' : request.method)
    const known = servers.get(key)
    if (known) {
      known.receive(request)
      // Some acknowledge a 2xx within the INVITE's own transaction.
      if (request.method === 'ACK') hooks.onAck(request)
      return
    }
    if (request.method === 'ACK') {
      hooks.onAck(request)
      return
    }
    // Stateless like every refusal: otherwise strangers could fill our memory with it.
    const isLost = request.method === 'CANCEL' && !servers.has(serverKey(request, 'INVITE'))
    const refusal = isLost
      ? createResponse(request, 481, 'Call/Transaction Does Not Exist')
      : hooks.refuse(request, source)
    if (refusal)
      return void deps
        .transport()
        .reply(refusal, request, source)
        .catch(() => {})
    const transaction = startServer(
      {
        timing: deps.timing,
        send: (response) =>
          void deps
            .transport()
            .reply(response, request, source)
            .catch(() => {}),
        onGone: () => servers.delete(key),
      },
      request,
      source,
    )
    servers.set(key, transaction)
    if (request.method === 'CANCEL') cancelled(transaction)
    else hooks.onRequest(transaction)
  }

  function cancelled(transaction: ServerTransaction): void {
    const invite = servers.get(serverKey(transaction.request, 'INVITE'))
    transaction.respond(createResponse(transaction.request, 200, 'OK'))
    if (invite && !invite.isAnswered()) hooks.onCancel(invite)
  }

  return {
    request: (request, hop, handlers) => {
      const branch = createBranch()
      const headers = [viaOf(hop, branch), ...request.headers.filter(([name]) => name !== 'via')]
      return start({ ...request, headers }, hop, branch, handlers)
    },
    cancel: (invite) => {
      const branch = /;branch=([^;]+)/.exec(invite.request.headers[0]?.[1] ?? '')?.[1] ?? ''
      start(cancelOf(invite.request), invite.hop, branch, noHandlers)
    },
    acknowledge: (ack, hop) => {
      const headers = [viaOf(hop, createBranch()), ...ack.headers]
      return send({ ...ack, headers }, hop)
    },
    receive: (message, source) => {
      if (message.kind === 'request') receiveRequest(message, source)
      else clients.get(clientKey(message))?.receive(message)
    },
    close: () => {
      for (const transaction of [...clients.values(), ...servers.values()]) transaction.destroy()
    },
  }
}

const clientKey = (response: ReceivedResponse): string =>
  `${response.vias[0]?.params.get('branch') ?? ''}|${response.cseq.method}`

/** RFC 3261 §17.2.3. Without the cookie a branch says nothing (RFC 2543): then the request itself is the key. */
function serverKey(request: ReceivedRequest, method: string): string {
  const [via] = request.vias
  const branch = via?.params.get('branch') ?? ''
  const sentBy = `${via?.host}:${via?.port}`
  if (branch.startsWith('z9hG4bK')) return [branch, sentBy, method].join('|')
  return [request.callId, request.cseq.number, request.from.params.get('tag'), sentBy, branch, method].join('|')
}
