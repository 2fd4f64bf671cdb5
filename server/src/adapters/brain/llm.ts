import type { Brain, BrainStep, Tools } from '../../voice/ports.ts'
import { createAnswer } from './llm-answer.ts'
import { LlmFailed } from './llm-failed.ts'
import { historyMessages, offeredTools, systemMessage } from './llm-messages.ts'
import { readAhead } from './llm-read-ahead.ts'
import { type Exchange, type LlmEndpoint, openExchange, postChat } from './llm-request.ts'
import { readEvents } from './llm-stream.ts'

/** `firstTokenMs` is the longest silence a caller may have to bear, connecting included. */
export type LlmBrainOptions = LlmEndpoint & { firstTokenMs?: number; turnMs?: number }

/** How long the model's last words wait for the end of the body, which as a rule comes with them. */
const settleMs = 250

/**
 * A brain behind any OpenAI-compatible chat-completions endpoint. A turn fails with `LlmFailed`, possibly after some
 * sentences; an aborted turn just ends. It keeps nothing between turns: one brain serves all calls.
 */
export function createLlmBrain({ firstTokenMs = 3_000, turnMs = 15_000, ...endpoint }: LlmBrainOptions): Brain {
  return {
    async *turn(context, history, tools, signal) {
      if (signal.aborted) return
      if (history.length === 0) {
        yield { say: context.greeting }
        return
      }
      const messages = [systemMessage(context), ...historyMessages(history)]
      const exchange = openExchange(signal, { firstTokenMs, timeoutMs: turnMs })
      const question = { messages, stream: true, ...offeredTools(tools) }
      yield* readAhead(ask(endpoint, question, tools, exchange), signal, exchange.close)
    },
  }
}

async function* ask(
  endpoint: LlmEndpoint,
  question: object,
  tools: Tools,
  exchange: Exchange,
): AsyncGenerator<BrainStep> {
  const answer = createAnswer(tools)
  try {
    const body = await postChat(endpoint, question, 'text/event-stream', exchange.signal)
    for await (const data of readEvents(body)) {
      // Read on to the end of the body: only then the next turn finds a warm connection.
      if (answer.state.done) continue
      yield* answer.take(data)
      if (answer.state.full) break
      if (answer.state.begun) exchange.begun()
      if (answer.state.finished) exchange.settle(settleMs)
    }
    if (!answer.state.finished && !answer.state.full) throw new LlmFailed('cut')
  } catch (error) {
    const failure = exchange.failure(error)
    if (failure !== undefined) throw failure
  } finally {
    exchange.close()
  }
  yield* answer.end()
}
