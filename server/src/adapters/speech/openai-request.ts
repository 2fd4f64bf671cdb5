import { type SpeechEndpoint, SpeechFailed } from './speech-failed.ts'

const service = 'The speech service'

/** Asks once. A redirect is a refusal: what was said goes only where the operator sent it. */
export async function postSpeech(
  endpoint: SpeechEndpoint,
  path: string,
  body: FormData | object,
  signal: AbortSignal,
): Promise<Response> {
  const headers: Record<string, string> = endpoint.key ? { authorization: `Bearer ${endpoint.key}` } : {}
  const isForm = body instanceof FormData
  if (!isForm) headers['content-type'] = 'application/json'
  let response: Response
  try {
    const url = `${endpoint.url.replace(/\/+$/, '')}${path}`
    const content = isForm ? body : JSON.stringify(body)
    response = await fetch(url, { method: 'POST', redirect: 'manual', headers, body: content, signal })
  } catch {
    signal.throwIfAborted()
    throw new SpeechFailed(service, 'connection')
  }
  if (response.ok) return response
  await response.body?.cancel().catch(() => {})
  throw new SpeechFailed(service, 'http', response.status)
}

/** The life of one exchange: it ends with whoever asked, and at its time limit. */
export function exchangeWithin(limitMs: number, signal: AbortSignal) {
  const own = new AbortController()
  let timer = setTimeout(() => own.abort(new SpeechFailed(service, 'timeout')), limitMs)
  return {
    signal: AbortSignal.any([own.signal, signal]),
    /** Something came: the time starts anew. */
    alive: () => {
      timer = timer.refresh()
    },
    close: () => {
      clearTimeout(timer)
      own.abort(new SpeechFailed(service, 'closed'))
    },
  }
}

export const malformed = () => new SpeechFailed(service, 'malformed')
export const closedEarly = () => new SpeechFailed(service, 'closed')
