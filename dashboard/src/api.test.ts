import { afterEach, describe, expect, it, vi } from 'vitest'
import { fetchSession, readSession, type Session, signIn, signOut } from './api.ts'

const session: Session = {
  user: { user_id: 'usr_1', email: 'owner@acme.test', role: 'owner' },
  organisation: { organisation_id: 'org_1', name: 'Acme Clinic', plan: 'base', timezone: 'UTC' },
}
const refusal = { success: false, error: { code: 'UNAUTHENTICATED', message: 'no', details: [], request_id: 'req_1' } }

function serverAnswers(status: number, body: unknown) {
  const fetcher = vi.fn(async (_path: string, _init: RequestInit) => Response.json(body, { status }))
  vi.stubGlobal('fetch', fetcher)
  return fetcher
}
afterEach(() => vi.unstubAllGlobals())

const signal = () => new AbortController().signal

describe('readSession', () => {
  it('takes a whole session', () => expect(readSession(session)).toEqual(session))
  it.each([undefined, null, {}, { user: session.user }, { ...session, user: { email: 'a@b' } }])('refuses %j', (data) =>
    expect(readSession(data)).toBeUndefined(),
  )
})

describe('fetchSession', () => {
  it('gives the session', async () => {
    serverAnswers(200, { success: true, data: session })
    expect(await fetchSession(signal())).toEqual(session)
  })

  it('gives null when nobody is signed in', async () => {
    serverAnswers(401, refusal)
    expect(await fetchSession(signal())).toBeNull()
  })

  it('refuses a 200 that is not a session', async () => {
    serverAnswers(200, { hello: 'captive portal' })
    await expect(fetchSession(signal())).rejects.toMatchObject({ facts: { status: 200, code: 'UNREADABLE' } })
  })

  it('says so when no answer comes', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(fetchSession(signal())).rejects.toMatchObject({ facts: { status: 0, code: 'NO_ANSWER' } })
  })

  it('passes an abort of our own on as it is', async () => {
    const cause = new DOMException('gone', 'AbortError')
    vi.stubGlobal('fetch', () => Promise.reject(cause))
    await expect(fetchSession(AbortSignal.abort())).rejects.toBe(cause)
  })
})

describe('signIn', () => {
  it('posts JSON and gives the session', async () => {
    const fetcher = serverAnswers(200, { success: true, data: session })
    expect(await signIn({ email: 'a@b.test', password: 'p' })).toEqual(session)
    const [path, init] = fetcher.mock.calls[0] ?? []
    expect(path).toBe('/api/session')
    expect(init).toMatchObject({ method: 'POST', body: '{"email":"a@b.test","password":"p"}' })
    expect(new Headers(init?.headers).get('content-type')).toBe('application/json')
  })

  it('throws the refusal with its request id', async () => {
    serverAnswers(401, refusal)
    await expect(signIn({ email: 'a@b.test', password: 'p' })).rejects.toMatchObject({
      facts: { status: 401, code: 'UNAUTHENTICATED', requestId: 'req_1' },
    })
  })
})

describe('signOut', () => {
  it('sends no body and no content type', async () => {
    const fetcher = serverAnswers(200, { success: true, data: {} })
    await signOut()
    const init = fetcher.mock.calls[0]?.[1]
    expect(init).toMatchObject({ method: 'DELETE', body: null })
    expect(new Headers(init?.headers).has('content-type')).toBe(false)
  })

  it('is content when the session is already gone', async () => {
    serverAnswers(401, refusal)
    await expect(signOut()).resolves.toBeUndefined()
  })

  it('throws when the server fails', async () => {
    serverAnswers(503, {})
    await expect(signOut()).rejects.toMatchObject({ facts: { status: 503 } })
  })
})
