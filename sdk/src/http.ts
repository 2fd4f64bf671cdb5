import { isObject, ParleyConnectionError, toApiError } from './errors.ts'
import { isHeaderText, type ParleyRequest, type PreparedRequest, prepareRequest, readBaseUrl } from './request.ts'
import { waitBeforeRepeatMs } from './retries.ts'
import { pause, TimeUp, withinTime } from './waiting.ts'

type Fetch = typeof globalThis.fetch

export type ParleyOptions = {
  apiKey: string
  /** Where Parley answers, e.g. `https://parley.example.com`. */
  baseUrl: string
  /** Instead of the global fetch. */
  fetch?: Fetch | undefined
  /** For one attempt, from connecting to the last byte of the answer. Default 30,000. */
  timeoutMs?: number | undefined
  /** How often a request is repeated at most. Default 2. */
  maxRetries?: number | undefined
}

/** The whole answer. That it holds `data` is checked; what `data` holds is the contract's promise. */
export type Send = <Answer extends { data: unknown }>(request: ParleyRequest) => Promise<Answer>

const longestTimerMs = 2 ** 31 - 1

export function createSend(options: ParleyOptions): Send {
  const { apiKey, timeoutMs = 30_000, maxRetries = 2 } = options
  const fetch: Fetch = options.fetch ?? ((...given) => globalThis.fetch(...given))
  const base = readBaseUrl(options.baseUrl)
  if (!isHeaderText(apiKey)) throw new TypeError('apiKey must be visible ASCII characters, without spaces.')
  if (!(timeoutMs >= 1 && timeoutMs <= longestTimerMs)) {
    throw new TypeError(`timeoutMs must be between 1 and ${longestTimerMs}.`)
  }
  if (!(Number.isInteger(maxRetries) && maxRetries >= 0)) {
    throw new TypeError('maxRetries must be a whole number, 0 or more.')
  }

  return async <Answer>(request: ParleyRequest) => {
    const prepared = prepareRequest(request, base, apiKey)
    for (let repeat = 0; ; repeat += 1) {
      prepared.signal?.throwIfAborted()
      try {
        return (await attempt(fetch, prepared, timeoutMs)) as Answer
      } catch (failure) {
        const waitMs = repeat < maxRetries ? waitBeforeRepeatMs(failure, repeat, Math.random()) : null
        if (waitMs === null) throw failure
        await pause(waitMs, prepared.signal)
      }
    }
  }
}

async function attempt(fetch: Fetch, request: PreparedRequest, timeoutMs: number): Promise<object> {
  const { url, init, signal, idempotencyKey } = request
  const exchange = async (stop: AbortSignal) => {
    const response = await fetch(url, { ...init, signal: stop })
    return { response, body: parseJson(await response.text()) }
  }
  const { response, body } = await withinTime(exchange, timeoutMs, signal).catch((cause: unknown) => {
    signal?.throwIfAborted()
    const timedOut = cause instanceof TimeUp
    const message = timedOut ? `No whole answer came within ${timeoutMs} ms.` : 'The connection to Parley failed.'
    throw new ParleyConnectionError(message, { timedOut, idempotencyKey, cause })
  })
  if (response.ok && isObject(body) && typeof body.data === 'object' && body.data !== null) return body
  throw toApiError({ status: response.status, headers: response.headers, body, idempotencyKey })
}

/** Undefined for what is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
