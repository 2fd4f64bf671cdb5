import type { Brain } from '../../voice/ports.ts'

/**
 * The brain of **one call**; make a new one for each. Its only state is whether the primary has failed in this call: from
 * then on the fallback has every turn, because a callee who has waited for a dead model once should not do so again, and
 * two brains taking turns would not know each other's plans. A new call tries the primary anew.
 *
 * When the primary fails before its first step, the fallback takes over this very turn; after it, the turn ends with what
 * was said. A turn that was aborted (interruption, hang-up) just ends: that is no failure.
 */
export function withFallback(primary: Brain, fallback: Brain, onFailure: (error: unknown) => void): Brain {
  let failed = false
  return {
    async *turn(context, history, tools, signal) {
      let begun = false
      if (!failed) {
        try {
          for await (const step of primary.turn(context, history, tools, signal)) {
            begun = true
            yield step
          }
          return
        } catch (error) {
          if (signal.aborted) return
          failed = true
          onFailure(error)
        }
      }
      if (!begun) yield* fallback.turn(context, history, tools, signal)
    },
  }
}
