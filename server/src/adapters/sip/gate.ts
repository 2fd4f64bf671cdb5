import type { Clock } from '../../platform/clock.ts'
import { type Core, dialogKey } from './core.ts'
import { createDigestGuard } from './digest-guard.ts'
import { reply } from './in-call.ts'
import { type Invitation, receiveInvite } from './invitation.ts'
import type { KnownTrunks } from './known-trunks.ts'
import type { ReceivedRequest } from './message.ts'
import type { Source } from './peer.ts'
import { allowed, createResponse, createTag, supported } from './request.ts'
import type { ServerTransaction } from './server-transaction.ts'
import type { TransactionHooks } from './transactions.ts'
import type { Trunk } from './trunk.ts'

/** How long a call may take to arrive by a second way. */
const arrivingMs = 60_000

type WithPassword = Trunk & { user: string; password: string }

/** Who may ask what. Strangers learn nothing and cost nothing: their refusals are sent and forgotten. */
export function createGate(
  core: () => Core,
  trunks: KnownTrunks,
  onInvite: (invitation: Invitation) => void,
  clock: Clock,
): TransactionHooks {
  const guard = createDigestGuard<WithPassword>(() => clock.now().getTime())
  /** Calls that are coming in, by what stays the same on every way they may take here. */
  const arriving = new Set<string>()
  const cancels = new WeakMap<ServerTransaction, () => void>()

  const withPassword = () =>
    trunks.all().filter((trunk): trunk is WithPassword => trunk.user !== undefined && trunk.password !== undefined)
  /** Whose request it is, found once: a proof serves only once. */
  const owners = new WeakMap<ReceivedRequest, readonly Trunk[]>()
  const trunksOf = (request: ReceivedRequest, source: Source): readonly Trunk[] => {
    const found = owners.get(request) ?? find(request, source)
    if (found.length > 0) owners.set(request, found)
    return found
  }
  const find = (request: ReceivedRequest, source: Source): readonly Trunk[] => {
    const known = trunks.byAddress(source.address)
    if (known.length > 0) return known
    const proven = guard.check(request, withPassword())
    return proven ? [proven] : []
  }
  const ownerOf = (request: ReceivedRequest) =>
    core().dialogs.get(dialogKey(request.callId, request.to.params.get('tag') ?? ''))

  async function admit(transaction: ServerTransaction, callers: readonly Trunk[]): Promise<void> {
    const { request, source } = transaction
    const key = [request.callId, request.from.params.get('tag'), request.cseq.number].join('|')
    // The same call by two ways would ring twice (RFC 3261 §8.2.2.2).
    if (arriving.has(key)) {
      reply(transaction, 482, 'Loop Detected')
      return
    }
    arriving.add(key)
    setTimeout(() => arriving.delete(key), arrivingMs).unref()
    const hop = await core().transport.hop(source)
    const incoming = transaction.isAnswered() ? null : receiveInvite(core(), callers, hop, transaction)
    if (!incoming) return
    cancels.set(transaction, incoming.cancel)
    onInvite(incoming.invitation)
  }

  return {
    refuse: (request, source) => {
      if (request.method === 'CANCEL' || ownerOf(request)) return null
      if (request.to.params.has('tag')) return createResponse(request, 481, 'Call/Transaction Does Not Exist')
      if (trunksOf(request, source).length > 0) return null
      const toTag = createTag()
      if (withPassword().length === 0) return createResponse(request, 403, 'Forbidden', { toTag })
      return createResponse(request, 401, 'Unauthorized', { toTag, headers: guard.challenges() })
    },
    onRequest: (transaction) => {
      const { request, source } = transaction
      const owner = ownerOf(request)
      const callers = owner ? [] : trunksOf(request, source)
      if (owner) owner.onRequest(transaction)
      else if (core().isClosing) reply(transaction, 503, 'Service Unavailable')
      else if (request.method === 'INVITE' && callers.length > 0) {
        admit(transaction, callers).catch((err: unknown) => {
          core().log.error({ err }, 'an incoming call could not be handled')
          reply(transaction, 500, 'Server Internal Error')
        })
      } else if (request.method === 'OPTIONS') {
        reply(transaction, 200, 'OK', [
          ['allow', allowed],
          ['accept', 'application/sdp'],
          ['supported', supported],
        ])
      } else reply(transaction, 405, 'Method Not Allowed', [['allow', allowed]])
    },
    onAck: (request) => ownerOf(request)?.onAck(request),
    onCancel: (invite) => {
      if (ownerOf(invite.request)) return
      cancels.get(invite)?.()
      // It came before we had a look at the call.
      if (!invite.isAnswered()) reply(invite, 487, 'Request Terminated')
    },
  }
}
