import { CallAnalytics } from '@parley/contract/calls'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Analysis, AnalysisInput, Analyst } from '../../voice/ports.ts'
import { standingBooking, wasCancelled } from './built-in-outcome.ts'
import { analysisMessages } from './llm-analysis-messages.ts'
import { LlmFailed } from './llm-failed.ts'
import { parseModelJson } from './llm-json.ts'
import { type LlmEndpoint, openExchange, postChat } from './llm-request.ts'
import { readText } from './llm-stream.ts'

/** The default leaves the fallback 5 of the 30 seconds after which a call is reported without analysis (decisions 3). */
export type LlmAnalystOptions = LlmEndpoint & { timeoutMs?: number }

const longestAnswer = 200_000
const longestDetails = 8_000
const Words = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' })
const Verdict = Type.Object({
  ...CallAnalytics.properties,
  summary: Words(2_000),
  next_steps: Words(1_000),
  extracted_details: Type.Record(Type.String(), Type.Unknown(), { maxProperties: 50 }),
})
const Completion = Type.Object({
  choices: Type.Array(Type.Object({ message: Type.Object({ content: Type.String() }) }), { minItems: 1 }),
})

/** Asks the model; on any failure the fallback answers. Rejects only when the caller gave up, or the fallback did. */
export function createLlmAnalyst(
  { timeoutMs = 25_000, ...endpoint }: LlmAnalystOptions,
  fallback: Analyst,
  onFailure: (error: unknown) => void = () => {},
): Analyst {
  return {
    async analyse(input, signal) {
      // Nothing was said: a model could only invent.
      if (input.transcript.length === 0) return fallback.analyse(input, signal)
      try {
        return toAnalysis(await ask(endpoint, input, timeoutMs, signal), input)
      } catch (error) {
        signal.throwIfAborted()
        onFailure(error)
        return fallback.analyse(input, signal)
      }
    },
  }
}

async function ask(endpoint: LlmEndpoint, input: AnalysisInput, timeoutMs: number, signal: AbortSignal) {
  const exchange = openExchange(signal, { timeoutMs })
  try {
    const question = { messages: analysisMessages(input), response_format: { type: 'json_object' } }
    const body = await postChat(endpoint, question, 'application/json', exchange.signal)
    let answer = ''
    for await (const text of readText(body)) {
      answer += text
      if (answer.length > longestAnswer) throw new LlmFailed('malformed')
    }
    return answer
  } catch (error) {
    throw exchange.failure(error)
  } finally {
    exchange.close()
  }
}

export function toAnalysis(answer: string, input: AnalysisInput): Analysis {
  const completion = parse(answer)
  if (!Value.Check(Completion, completion)) throw new LlmFailed('malformed')
  const verdict = parse(completion.choices[0]?.message.content ?? '')
  if (!Value.Check(Verdict, verdict)) throw new LlmFailed('bad_analysis')
  const { summary, sentiment, next_steps, extracted_details } = verdict
  if (JSON.stringify(extracted_details).length > longestDetails) throw new LlmFailed('bad_analysis')
  const disposition = judgeDisposition(verdict.disposition, input)
  return { analytics: { summary, sentiment, next_steps, disposition }, extractedDetails: extracted_details }
}

type Disposition = Static<typeof CallAnalytics>['disposition']

/** What is proved wins. A success nobody can prove makes the whole analysis worthless: its summary tells the same tale. */
export function judgeDisposition(claimed: Disposition, input: AnalysisInput): Disposition {
  const proved = provedDisposition(input)
  if (proved) return proved
  if (claimed === 'not_interested') return claimed
  if (claimed !== 'ended_by_customer' && claimed !== 'session_ended') throw new LlmFailed('bad_analysis')
  if (wasCancelled(input.toolUses)) return 'session_ended'
  return input.ending === 'hung_up_by_callee' ? 'ended_by_customer' : 'session_ended'
}

function provedDisposition({ toolUses, ending }: AnalysisInput): Disposition | undefined {
  const succeeded = (name: string) => toolUses.some((use) => use.name === name && use.result.ok === true)
  if (standingBooking(toolUses)) return 'appointment_booked'
  if (succeeded('transfer_to_human') || ending === 'transferred') return 'transferred'
  if (succeeded('schedule_callback')) return 'callback_scheduled'
  return ending === 'voicemail' ? 'voicemail' : undefined
}

function parse(text: string): unknown {
  try {
    return parseModelJson(text)
  } catch {
    return undefined
  }
}
