import { LlmFailed } from './llm-failed.ts'

/** An OpenAI-compatible endpoint, e.g. `http://127.0.0.1:8080/v1`. Local ones need no key. */
export type LlmEndpoint = { url: string; key?: string | undefined; model: string }
type Wanted = 'text/event-stream' | 'application/json'

/**
 * Asks once. Bodies of refusals stay unread, so the caller ends the exchange in any case. A redirect is a refusal: the
 * question holds what was said on the phone and goes only where the operator sent it.
 */
export async function postChat(
  endpoint: LlmEndpoint,
  question: object,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const response = await send(endpoint, question, wanted, signal)
  if (!response.ok) throw new LlmFailed('http', response.status)
  const type = response.headers.get('content-type') ?? ''
  if (!response.body || !type.toLowerCase().startsWith(wanted)) throw new LlmFailed('malformed')
  return response.body
}

async function send(endpoint: LlmEndpoint, question: object, wanted: Wanted, signal: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { accept: wanted, 'content-type': 'application/json' }
  if (endpoint.key) headers.authorization = `Bearer ${endpoint.key}`
  const body = JSON.stringify({ model: endpoint.model, ...question })
  try {
    const url = `${endpoint.url.replace(/\/+$/, '')}/chat/completions`
    return await fetch(url, { method: 'POST', redirect: 'manual', headers, body, signal })
  } catch {
    throw new LlmFailed('connection')
  }
}

export type Exchange = ReturnType<typeof openExchange>

/** The life of one request: it ends with the caller's signal, at its limits, and when it is closed. */
export function openExchange(outer: AbortSignal, limits: { firstTokenMs?: number; timeoutMs: number }) {
  const controller = new AbortController()
  const giveUp = () => controller.abort(outer.reason)
  const failAfter = (code: 'first_token_timeout' | 'timeout', ms: number) =>
    setTimeout(() => controller.abort(new LlmFailed(code)), ms)
  const timers = { whole: failAfter('timeout', limits.timeoutMs), next: undefined as NodeJS.Timeout | undefined }
  if (limits.firstTokenMs !== undefined) timers.next = failAfter('first_token_timeout', limits.firstTokenMs)
  if (outer.aborted) giveUp()
  outer.addEventListener('abort', giveUp, { once: true })
  const settled = Symbol('settled')
  let settling = false

  return {
    signal: controller.signal,
    begun: () => {
      if (!settling) clearTimeout(timers.next)
    },
    /** Nothing more is expected but the end of the body: when that does not come either, it was the end. */
    settle: (ms: number) => {
      settling = true
      clearTimeout(timers.next)
      timers.next = setTimeout(() => controller.abort(settled), ms)
    },
    close: () => {
      clearTimeout(timers.whole)
      clearTimeout(timers.next)
      outer.removeEventListener('abort', giveUp)
      controller.abort(settled)
    },
    /** What the exchange failed of: a limit or the caller rather than what fetch makes of it. Nothing once settled. */
    failure: (error: unknown): unknown => {
      if (!controller.signal.aborted) return error
      return controller.signal.reason === settled ? undefined : controller.signal.reason
    },
  }
}
