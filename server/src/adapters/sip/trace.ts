import type { LegTrace } from '../../voice/ports.ts'
import type { SipCall } from './call.ts'
import type { Dialog } from './dialog.ts'
import type { Trunk } from './trunk.ts'

/** What another node needs to say goodbye in our name. Nothing in it is secret: the trunk's password is looked up. */
export const traceOf = (call: SipCall, trunk: Trunk): LegTrace | null => {
  const dialog = call.dialog()
  if (!dialog) return null
  // A connection dies with its node, and the authority to trust is a setting of the next one.
  const { transport, address, port } = dialog.way ?? {}
  const way = address === undefined ? null : { transport, address, port }
  return { carrier: 'sip', trunkId: trunk.name, dialog: { ...dialog, way } }
}

/** Requests we may have sent since the trace was written: a number that went backwards would be refused. */
const spareNumbers = 1_000

/** Null when it is not one of ours, or from another time. */
export function dialogOf(trace: LegTrace): Dialog | null {
  const dialog = trace.dialog as Partial<Dialog> | undefined
  const texts = [dialog?.callId, dialog?.localTag, dialog?.local, dialog?.remote, dialog?.target]
  if (!dialog || texts.some((each) => typeof each !== 'string') || !Array.isArray(dialog.routes)) return null
  return { ...(dialog as Dialog), way: dialog.way ?? null, localSeq: Number(dialog.localSeq) + spareNumbers }
}
