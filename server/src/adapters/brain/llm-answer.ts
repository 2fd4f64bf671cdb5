import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { BrainStep, Tools } from '../../voice/ports.ts'
import { LlmFailed } from './llm-failed.ts'
import { createSentences, cutAtWord, speakable } from './llm-sentences.ts'
import { createToolCalls } from './llm-tool-call.ts'

const mostSaid = 2_000
/** The conversation takes a brain that says more in one turn for broken. */
const mostSentences = 20
/** What templates and half-parsed tool calls leave in the text. Silence is better than reading it to somebody. */
const notSpeech = /<\/?(?:think|tool_call|function)|<\||^\s*\{\s*"/u

const Maybe = <T extends Parameters<typeof Type.Optional>[0]>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]))
const Delta = Type.Object({
  content: Maybe(Type.String()),
  tool_calls: Maybe(
    Type.Array(
      Type.Object({
        index: Maybe(Type.Integer()),
        id: Maybe(Type.String()),
        function: Maybe(Type.Object({ name: Maybe(Type.String()), arguments: Maybe(Type.String()) })),
      }),
    ),
  ),
})
/** Fields beside these are the endpoint's own business; `error` in a stream has no choices. */
const Chunk = Type.Object({
  choices: Type.Array(Type.Object({ delta: Maybe(Delta), finish_reason: Maybe(Type.String()) })),
})

/** Turns the events of one answer into steps, as early as they are certain. */
export function createAnswer(tools: Tools) {
  const sentences = createSentences()
  const toolCalls = createToolCalls()
  const state = { begun: false, finished: false, done: false, full: false }
  let said = 0
  let spoken = 0

  const say = (text: string): BrainStep[] => {
    const words = speakable(text)
    if (words === '' || state.full) return []
    if (notSpeech.test(words)) throw new LlmFailed('not_speech')
    state.full = spoken === mostSentences || said + words.length > mostSaid
    if (state.full && spoken > 0) return []
    spoken += 1
    said += words.length
    return [{ say: state.full ? cutAtWord(words, mostSaid) : words }]
  }
  const hear = (text: string): BrainStep[] => {
    const steps = sentences.push(text).flatMap(say)
    const unfinished = sentences.unfinished()
    if (said + unfinished.length <= mostSaid) return steps
    // A sentence without an end: of the first one at least the words that fit.
    if (said === 0) steps.push(...say(cutAtWord(unfinished, mostSaid)))
    state.full = true
    return steps
  }

  return {
    /** `finished`: the model gave a reason to stop. `done`: it will send nothing more. `full`: it has said enough. */
    state: state as Readonly<typeof state>,
    take(data: string): BrainStep[] {
      state.done = data === '[DONE]'
      const { delta, finish_reason } = state.done ? {} : parseChunk(data)
      // Not every endpoint says [DONE], and not every one that gives a reason to stop has sent everything.
      state.finished ||= state.done || Boolean(finish_reason)
      const text = delta?.content ?? ''
      // Text after a tool call was made without its result.
      const steps = toolCalls.begun() ? [] : hear(text)
      for (const each of delta?.tool_calls ?? []) toolCalls.add(each)
      state.begun ||= text !== '' || toolCalls.begun()
      return steps
    },
    /** What was left for the end: words without a stop, and the tool. */
    end(): BrainStep[] {
      const steps = say(sentences.unfinished())
      if (!state.full) steps.push(...toolCalls.first(tools))
      if (spoken === 0 && steps.length === 0) throw new LlmFailed('empty')
      return steps
    },
  }
}

function parseChunk(data: string): Static<typeof Chunk>['choices'][number] {
  let chunk: unknown
  try {
    chunk = JSON.parse(data)
  } catch {}
  if (!Value.Check(Chunk, chunk)) throw new LlmFailed('malformed')
  return chunk.choices[0] ?? {}
}
