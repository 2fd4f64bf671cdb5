import { describe, expect, it } from 'vitest'
import { createTestApp, testClock } from '../app.ts'

const clock = testClock()
const t = await createTestApp({ clock })
const users = [{ email: 'Owner@Acme.test', password: 'correct horse', role: 'owner' as const }]
const org = await t.organisation({ users })
const signIn = (payload: object, headers = {}) =>
  t.app.inject({ method: 'POST', url: '/api/session', payload, headers })
const good = { email: 'owner@acme.test', password: 'correct horse' }
const cookieOf = (response: { headers: Record<string, unknown> }) => String(response.headers['set-cookie'])

describe('signing in to the dashboard', () => {
  it('200 with a cookie no script can read, and the session it opens', async () => {
    const response = await signIn(good)
    expect(response.statusCode).toBe(200)
    expect(cookieOf(response)).toMatch(/^parley_session=\w{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/)
    const cookie = cookieOf(response).split(';')[0] ?? ''
    const session = await t.app.inject({ url: '/api/session', headers: { cookie } })
    expect(session.json()).toEqual({
      success: true,
      data: {
        user: { user_id: org.users[0]?.user_id, email: 'Owner@Acme.test', role: 'owner' },
        organisation: {
          organisation_id: org.organisationId,
          name: 'Acme Clinic',
          plan: 'professional',
          timezone: 'UTC',
        },
      },
    })
  })

  it('the cookie is Secure where the service is reached over https', async () => {
    const secure = await createTestApp({ settings: { PARLEY_BASE_URL: 'https://parley.example' } })
    await secure.organisation({ users })
    const response = await secure.app.inject({ method: 'POST', url: '/api/session', payload: good })
    expect(cookieOf(response)).toContain('; Secure')
  })

  it('the same 401 for a wrong password and an unknown e-mail', async () => {
    const wrong = await signIn({ ...good, password: 'wrong horse' })
    const unknown = await signIn({ ...good, email: 'nobody@acme.test' })
    for (const answer of [wrong, unknown]) {
      expect(answer.statusCode).toBe(401)
      expect(answer.json().error).toMatchObject({
        code: 'UNAUTHENTICATED',
        message: 'The e-mail or the password is wrong.',
      })
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
  })

  it('signing out ends the session; an expired or made-up one is none', async () => {
    const cookie = cookieOf(await signIn(good)).split(';')[0] ?? ''
    const look = (value: string) => t.app.inject({ url: '/api/session', headers: { cookie: value } })
    expect((await t.app.inject({ method: 'DELETE', url: '/api/session', headers: { cookie } })).statusCode).toBe(200)
    expect((await look(cookie)).statusCode).toBe(401)
    expect((await look('parley_session=made-up')).statusCode).toBe(401)
    const second = cookieOf(await signIn(good)).split(';')[0] ?? ''
    await t.db.query(`update sessions set expires_at = now() - interval '1 second'`)
    expect((await look(second)).statusCode).toBe(401)
  })

  it('stores neither password nor session token', async () => {
    const token = cookieOf(await signIn(good)).split(/[=;]/)[1] ?? ''
    const rows = await t.db.query<{ dump: string }>(
      `select string_agg(x::text, ' ') as dump from (select * from users) x union all select string_agg(x::text, ' ') from (select * from sessions) x`,
    )
    for (const { dump } of rows) {
      expect(dump).not.toContain('correct horse')
      expect(dump).not.toContain(token)
    }
  })

  it("403 for a write that comes from another site's page", async () => {
    const response = await signIn(good, { origin: 'https://evil.example' })
    expect(response.statusCode).toBe(403)
    expect(response.json().error.code).toBe('FORBIDDEN')
    expect((await signIn(good, { origin: 'http://127.0.0.1:3000' })).statusCode).toBe(200)
  })

  it('too many tries: 429 with Retry-After, for that e-mail from that address', async () => {
    clock.advance(3_600_000)
    const tries = []
    for (let i = 0; i < 21; i += 1) tries.push(await signIn({ ...good, password: `guess ${i}` }))
    expect(tries.slice(0, 20).every((each) => each.statusCode === 401)).toBe(true)
    expect(tries[20]?.statusCode).toBe(429)
    expect(Number(tries[20]?.headers['retry-after'])).toBeGreaterThan(0)
    expect((await signIn(good)).statusCode).toBe(429)
    clock.advance(60_000)
    expect((await signIn(good)).statusCode).toBe(200)
  })

  it('somebody in two organisations signs in to each with its own password', async () => {
    const other = await t.organisation({
      organisation: { name: 'Second', plan: 'base' },
      users: [{ email: 'owner@acme.test', password: 'another horse' }],
    })
    expect((await signIn(good)).json().data.organisation.organisation_id).toBe(org.organisationId)
    const second = await signIn({ ...good, password: 'another horse' })
    expect(second.json().data.organisation.organisation_id).toBe(other.organisationId)
  })
})
