import type { CallLeg } from '../../voice/ports.ts'
import type { SipCall } from './call.ts'

/**
 * A carrier that took it on and hung up, or will report no more, has them: no news is not a refusal. Whoever is reached only
 * after we gave up waiting has them too, so we leave the line to the two.
 */
export function transferOn(
  call: Pick<SipCall, 'refer' | 'hangup'>,
  onRefused: (status: number | null) => void,
): NonNullable<CallLeg['transfer']> {
  return async (to, signal) => {
    if (signal.aborted) return 'refused'
    const referring = call.refer(to)
    let onAbort = () => {}
    const givingUp = new Promise<null>((resolve) => {
      onAbort = () => resolve(null)
      signal.addEventListener('abort', onAbort, { once: true })
    })
    const result = await Promise.race([referring, givingUp])
    signal.removeEventListener('abort', onAbort)
    if (result && result.outcome !== 'refused') return 'transferred'
    onRefused(result?.status ?? null)
    if (result) return 'refused'
    // A line that is gone by then needs no hanging up.
    referring.then(({ outcome }) => (outcome === 'connected' ? call.hangup() : undefined)).catch(() => {})
    return 'refused'
  }
}
