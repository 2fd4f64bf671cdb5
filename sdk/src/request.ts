/** Only what may be repeated can be written down: reading, creating with a key, idempotent moves, and erasing. */
export type ParleyRequest = { path: string; signal?: AbortSignal | undefined } & (
  | { method: 'GET'; query?: Record<string, unknown> }
  | { method: 'POST'; idempotencyKey: string; body: unknown }
  | { method: 'POST'; idempotent: true }
  | { method: 'DELETE' }
)

export type PreparedRequest = {
  url: URL
  init: RequestInit
  signal: AbortSignal | undefined
  idempotencyKey: string | undefined
}

/** What a header can carry. Checked before fetch does, which would put the whole value into its complaint. */
export const isHeaderText = (value: unknown): boolean => typeof value === 'string' && /^[\x21-\x7e]{1,255}$/.test(value)

/** An id as one part of a path. Dots would climb to another address, even when escaped. */
export function pathPart(id: string): string {
  if (/^\.{0,2}$/.test(id)) throw new TypeError('An id must not be empty.')
  return encodeURIComponent(id)
}

export function readBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new TypeError('baseUrl must be an http or https address without a user name.')
  }
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url
}

/** Once for all attempts: the server compares the bytes of a repeat with those it saw first. */
export function prepareRequest(request: ParleyRequest, base: URL, apiKey: string): PreparedRequest {
  const { method, path, signal } = request
  const url = new URL(path, base)
  const headers: Record<string, string> = {
    accept: 'application/json',
    'content-type': 'application/json', // §5.1: on every request
    'x-api-key': apiKey,
  }
  // Followed, a redirect would carry the key to a stranger and turn a POST into a GET.
  const init: RequestInit = { method, headers, redirect: 'manual' }
  if (request.method === 'GET') {
    for (const [name, value] of Object.entries(request.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value))
    }
  }
  if (!('idempotencyKey' in request)) return { url, init, signal, idempotencyKey: undefined }
  const { idempotencyKey, body } = request
  if (!isHeaderText(idempotencyKey)) {
    throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters, without spaces.')
  }
  headers['idempotency-key'] = idempotencyKey
  return { url, init: { ...init, body: JSON.stringify(body) }, signal, idempotencyKey }
}
