import type { Log } from '../platform/log.ts'
import type { CallLeg } from '../voice/ports.ts'
import type { Transfer } from '../voice/turn.ts'
import { isHindi } from './booking-words.ts'
import type { ClaimedCall } from './claim-calls.ts'

const english = {
  connecting: 'I am putting you through to a colleague. One moment, please.',
  refused: 'I am sorry, none of my colleagues could be reached.',
}
const hindi: typeof english = {
  connecting: 'आपकी बात एक सहकर्मी से कराई जा रही है। कृपया लाइन पर बने रहिए।',
  refused: 'माफ़ कीजिए, अभी किसी भी सहकर्मी से संपर्क नहीं हो सका।',
}
export const transferWords = (language: string): typeof english => (isHindi(language) ? hindi : english)

/** Only where the carrier can do it and the agent has somebody to put people through to (decision 0055). */
export function transferOf(
  { log }: { log: Log },
  { callId, transferTo, language }: Pick<ClaimedCall, 'callId' | 'transferTo' | 'language'>,
  leg: Pick<CallLeg, 'transfer'>,
): Transfer | undefined {
  if (transferTo === null || !leg.transfer) return undefined
  return {
    refusedWords: transferWords(language).refused,
    start: async (signal) => {
      const outcome = await leg.transfer?.(transferTo, signal)
      log.info({ call_id: callId, outcome }, 'a callee was to be put through')
      return outcome ?? 'refused'
    },
  }
}
