// The one way to the server: same origin, JSON, the session cookie.
import type { SessionAnswer, SignInBody } from '@parley/contract/session'
import { isObject, isUnauthenticated, noAnswer, parseJson, readFailure } from './api-failure.ts'

export type Session = SessionAnswer['data']

const timeoutMs = 20_000

const hasTexts = (value: unknown, names: string[]): boolean =>
  isObject(value) && names.every((name) => typeof value[name] === 'string')

export function readSession(data: unknown): Session | undefined {
  if (!isObject(data) || !hasTexts(data.user, ['user_id', 'email', 'role'])) return undefined
  if (!hasTexts(data.organisation, ['organisation_id', 'name', 'plan'])) return undefined
  return data as unknown as Session
}

interface Ask {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: unknown
  signal?: AbortSignal
}

/** `read` makes the answer's data into what was asked for; undefined means the answer cannot be understood. */
async function ask<T>(
  path: string,
  { method, body, signal, headers }: Ask,
  read: (data: unknown, whole: Record<string, unknown>, headers: Headers) => T | undefined,
): Promise<T> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const withBody = body === undefined ? {} : { 'content-type': 'application/json' }
  let response: Response
  let text: string
  try {
    response = await fetch(path, {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      headers: { accept: 'application/json', ...withBody, ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    })
    text = await response.text()
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw noAnswer()
  }
  const answer = parseJson(text)
  const result = response.ok && isObject(answer) ? read(answer.data, answer, response.headers) : undefined
  if (result === undefined) throw readFailure(response.status, response.headers, text, Date.now())
  return result
}

export type Query = Record<string, string | number | boolean | null | undefined>

/** What is empty is left out: a filter that is not set is no filter. */
export function withQuery(path: string, query: Query = {}): string {
  const set = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '')
  const text = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? path : `${path}?${text}`
}

/** The server checks its answers against the contract; their types are the contract's. */
const asIs = <T>(data: unknown): T | undefined => (data === undefined ? undefined : (data as T))

export const read = <T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> =>
  ask<T>(withQuery(path, query), { method: 'GET', ...(signal ? { signal } : {}) }, asIs)

export type PageOf<T> = { data: T[]; has_more: boolean; next_cursor: string | null }

export const readPage = <T>(path: string, query?: Query, signal?: AbortSignal): Promise<PageOf<T>> =>
  ask<PageOf<T>>(withQuery(path, query), { method: 'GET', ...(signal ? { signal } : {}) }, (_data, whole) =>
    Array.isArray(whole.data) ? (whole as unknown as PageOf<T>) : undefined,
  )

export const write = <T = unknown>(
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<T> => ask<T>(path, { method, body, headers }, asIs)

/** With an Idempotency-Key: `replayed` says that it had been done before. */
export const writeOnce = <T>(path: string, body: unknown, key: string): Promise<{ data: T; replayed: boolean }> =>
  ask(path, { method: 'POST', body, headers: { 'idempotency-key': key } }, (data, _whole, headers) =>
    data === undefined ? undefined : { data: data as T, replayed: headers.get('idempotent-replayed') === 'true' },
  )

/** null: nobody is signed in. */
export async function fetchSession(signal: AbortSignal): Promise<Session | null> {
  try {
    return await ask('/api/session', { method: 'GET', signal }, readSession)
  } catch (failure) {
    if (isUnauthenticated(failure)) return null
    throw failure
  }
}

export const signIn = (credentials: SignInBody): Promise<Session> =>
  ask('/api/session', { method: 'POST', body: credentials }, readSession)

/** A session that is already gone is as good as ended. */
export async function signOut(): Promise<void> {
  try {
    await ask('/api/session', { method: 'DELETE' }, () => true)
  } catch (failure) {
    if (!isUnauthenticated(failure)) throw failure
  }
}
