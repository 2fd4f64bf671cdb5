import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp, testClock } from '../app.ts'
import { type As, apiAs, signedOrganisation } from '../dashboard.ts'

const clock = testClock()
const password = 'correct horse battery'
const next = 'another horse battery'
let t: TestApp

beforeAll(async () => {
  t = await createTestApp({ clock })
})

async function person(): Promise<{ me: As; email: string; signIn(secret?: string): Promise<As | number> }> {
  clock.advance(60_000)
  const made = await signedOrganisation(t, {}, ['viewer'])
  const email = String(made.users[0]?.email)
  return {
    me: apiAs(t, made.cookies.viewer),
    email,
    signIn: async (secret = password) => {
      const answer = await t.app.inject({
        method: 'POST',
        url: '/api/session',
        payload: { email, password: secret },
        headers: { 'user-agent': 'Firefox on a phone' },
      })
      return answer.statusCode === 200
        ? apiAs(t, String(answer.headers['set-cookie']).split(';')[0] ?? '')
        : answer.statusCode
    },
  }
}
const change = (me: As, current: string, to: string, headers = {}) =>
  me('POST', '/account/password', { current_password: current, new_password: to }, headers)

describe('changing the password', () => {
  it('takes the present one, ends the other sessions, keeps this one', async () => {
    const { me, signIn } = await person()
    const other = (await signIn()) as As
    const answer = await change(me, password, next)
    expect([answer.statusCode, answer.json().data]).toEqual([200, { ended_sessions: 1 }])
    expect((await other('GET', '/session')).statusCode).toBe(401)
    expect((await me('GET', '/session')).statusCode).toBe(200)
    expect(await signIn()).toBe(401)
    expect(await signIn(next)).toBeTypeOf('function')
  })

  it('400 names the field: a wrong present one, one too short, the same again; nothing changes', async () => {
    const { me, signIn } = await person()
    for (const [current, to, field] of [
      ['wrong', next, 'current_password'],
      [password, 'short', 'new_password'],
      [password, password, 'new_password'],
    ] as const) {
      const answer = await change(me, current, to)
      expect(answer.statusCode).toBe(400)
      expect(answer.json().error.details).toMatchObject([{ field }])
    }
    expect(await signIn()).toBeTypeOf('function')
    expect((await change(me, password, next, { origin: 'https://evil.example' })).statusCode).toBe(403)
  })

  it('guessing it from an open laptop is slowed down', async () => {
    const { me } = await person()
    for (let i = 0; i < 20; i += 1) expect((await change(me, `guess ${i}`, next)).statusCode).toBe(400)
    expect((await change(me, password, next)).statusCode).toBe(429)
  })

  it('of two changes at once one holds', async () => {
    const { me, signIn } = await person()
    const answers = await Promise.all([change(me, password, `${next} 1`), change(me, password, `${next} 2`)])
    expect(answers.map((each) => each.statusCode).toSorted()).toEqual([200, 400])
    const winner = answers.findIndex((each) => each.statusCode === 200) + 1
    expect(await signIn(`${next} ${winner}`)).toBeTypeOf('function')
  })
})

describe('sessions', () => {
  it('are listed with what the browser says, never with their token; others can be ended, one or all', async () => {
    const { me, signIn } = await person()
    const others = [(await signIn()) as As, (await signIn()) as As, (await signIn()) as As]
    const list = (await me('GET', '/account/sessions')).json().data
    expect(list).toHaveLength(4)
    expect(list.filter((each: { is_this: boolean }) => each.is_this)).toHaveLength(1)
    const foreign = list.find((each: { is_this: boolean }) => !each.is_this)
    expect(foreign).toMatchObject({ browser: 'Firefox on a phone' })
    expect(Object.keys(foreign).toSorted()).toEqual(
      ['browser', 'created_at', 'expires_at', 'is_this', 'last_used_at', 'session_id'].toSorted(),
    )
    expect((await me('DELETE', `/account/sessions/${foreign.session_id}`)).statusCode).toBe(200)
    expect((await me('DELETE', `/account/sessions/${foreign.session_id}`)).statusCode).toBe(404)
    expect((await me('DELETE', '/account/sessions')).json().data).toEqual({ ended_sessions: 2 })
    for (const other of others) expect((await other('GET', '/session')).statusCode).toBe(401)
    expect((await me('GET', '/session')).statusCode).toBe(200)
  })

  it("somebody else's session cannot be seen or ended", async () => {
    const mine = await person()
    const theirs = await person()
    const [{ session_id }] = (await theirs.me('GET', '/account/sessions')).json().data
    expect((await mine.me('DELETE', `/account/sessions/${session_id}`)).statusCode).toBe(404)
    expect((await theirs.me('GET', '/session')).statusCode).toBe(200)
  })

  it('a browser that says a novel about itself is still let in', async () => {
    const { email } = await person()
    const headers = { 'user-agent': 'x'.repeat(5_000) }
    const payload = { email, password }
    expect((await t.app.inject({ method: 'POST', url: '/api/session', payload, headers })).statusCode).toBe(200)
  })
})
