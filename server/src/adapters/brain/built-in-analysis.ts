import type { Analyst } from '../../voice/ports.ts'
import { detailsOf } from './built-in-details.ts'
import { outcomeOf } from './built-in-outcome.ts'
import { sentimentOf } from './built-in-sentiment.ts'
import { nextStepsOf, summaryOf } from './built-in-summary.ts'

/** Rules over the transcript and the tools used; the same call always gives the same analysis. */
export const builtInAnalyst: Analyst = {
  async analyse(input) {
    const calleeTexts = input.transcript.filter(({ speaker }) => speaker === 'user').map(({ text }) => text)
    const outcome = outcomeOf(input)
    // A voicemail's recorded words are not the callee's.
    const extractedDetails = detailsOf(outcome.disposition === 'voicemail' ? [] : calleeTexts, outcome)
    return {
      analytics: {
        summary: summaryOf(input, outcome, extractedDetails),
        sentiment: sentimentOf(calleeTexts, outcome.disposition),
        next_steps: nextStepsOf(input, outcome),
        disposition: outcome.disposition,
      },
      extractedDetails,
    }
  },
}
