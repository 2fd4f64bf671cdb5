import type { TransferOutcome } from './call.ts'
import { headerOf, type ReceivedRequest } from './message.ts'
import { askWithin, type Session, type Transfer } from './session.ts'
import { formatUri } from './uri.ts'

/** How long the carrier may take to reach the new number. */
const transferMs = 60_000

/** RFC 3515: the other side calls that number itself and tells us how it went. Settled with the call, if that ends first. */
export async function refer(session: Session, number: string): Promise<TransferOutcome> {
  if (session.ended || session.transfer) return { outcome: 'refused', status: null }
  const { host, port } = session.trunk
  const { transfer, outcome } = beginTransfer(session)
  const target = formatUri({ user: number, host, port: port ?? null })
  const headers: [string, string][] = [
    ['refer-to', `<${target}>`],
    ['referred-by', session.dialog.local.replace(/;tag=.*$/, '')],
  ]
  const answered = (status: number | null) => {
    if (status === null || status >= 300) transfer.settle({ outcome: 'refused', status })
    else transfer.taken = true
  }
  askWithin(session, 'REFER', { headers }).then(
    ({ response }) => answered(response.status),
    () => answered(null),
  )
  return outcome
}

function beginTransfer(session: Session): { transfer: Transfer; outcome: Promise<TransferOutcome> } {
  let resolve = (_outcome: TransferOutcome) => {}
  const outcome = new Promise<TransferOutcome>((each) => {
    resolve = each
  })
  const transfer: Transfer = {
    taken: false,
    settle: (result) => {
      clearTimeout(limit)
      if (session.transfer === transfer) session.transfer = null
      resolve(result)
    },
  }
  const limit = setTimeout(() => transfer.settle({ outcome: 'accepted', status: null }), transferMs)
  session.transfer = transfer
  return { transfer, outcome }
}

/** A report about a transfer of ours. False: we asked for none. */
export function notified(session: Session, request: ReceivedRequest): boolean {
  if (!/^refer\b/i.test(headerOf(request, 'event') ?? '')) return false
  const status = Number(/^SIP\/2\.0 ([1-6]\d\d)/i.exec(request.body.toString('utf8').slice(0, 200))?.[1] ?? 0)
  const isOver = /^terminated/i.test(headerOf(request, 'subscription-state') ?? '')
  const transfer = session.transfer
  if (!transfer) return isOver
  // A report may overtake the answer it belongs to.
  transfer.taken = true
  if (status >= 300) transfer.settle({ outcome: 'refused', status })
  else if (status >= 200) transfer.settle({ outcome: 'connected', status })
  else if (isOver) transfer.settle({ outcome: 'accepted', status: null })
  return true
}
