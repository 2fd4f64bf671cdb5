import type { BrainStep, ToolName, Tools } from '../../voice/ports.ts'
import { LlmFailed } from './llm-failed.ts'
import { isRecord, parseModelJson } from './llm-json.ts'

/** One piece of one tool call, as streams carry them. */
export type ToolDelta = {
  index?: number | null
  id?: string | null
  function?: { name?: string | null; arguments?: string | null } | null
}
type Assembled = { index: number | undefined; id: string; name: string; args: string }

const longestArguments = 10_000

/**
 * Puts tool calls together by index. Endpoints are careless with it: Gemini leaves it out, Ollama has numbered every call
 * 0. So another id begins another call, and a piece that says nothing belongs to the latest.
 */
export function createToolCalls() {
  const calls: Assembled[] = []

  const callOf = ({ index, id }: ToolDelta): Assembled => {
    const latest = calls.findLast((each) => index === undefined || index === null || each.index === index)
    if (latest && (!id || !latest.id || latest.id === id)) return latest
    const begun = { index: index ?? undefined, id: '', name: '', args: '' }
    calls.push(begun)
    return begun
  }

  return {
    add(delta: ToolDelta): void {
      const call = callOf(delta)
      call.id ||= delta.id ?? ''
      call.name ||= delta.function?.name ?? ''
      call.args += delta.function?.arguments ?? ''
      if (call.args.length > longestArguments) throw new LlmFailed('bad_tool')
    },
    begun: (): boolean => calls.length > 0,
    /** A turn ends after its first tool: a model that asked for more asks again when it has seen the result. */
    first(tools: Tools): BrainStep[] {
      const call = calls[0]
      return call ? [toStep(call, tools)] : []
    },
  }
}

function toStep(call: Assembled, tools: Tools): BrainStep {
  const tool = Object.hasOwn(tools, call.name) ? tools[call.name as ToolName] : undefined
  const args = parseArguments(call.args)
  const required = Array.isArray(tool?.parameters.required) ? tool.parameters.required : []
  if (!tool || !args || required.some((key) => !Object.hasOwn(args, key))) throw new LlmFailed('bad_tool')
  return { tool: call.name as ToolName, args }
}

/** Models leave the arguments of a tool without parameters empty. */
function parseArguments(text: string): Record<string, unknown> | undefined {
  try {
    const args = text.trim() === '' ? {} : parseModelJson(text)
    return isRecord(args) ? args : undefined
  } catch {
    return undefined
  }
}
