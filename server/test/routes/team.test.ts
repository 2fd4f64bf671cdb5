import type { Role } from '@parley/contract/common'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp, testClock } from '../app.ts'
import { type As, apiAs, type Signed, signedOrganisation } from '../dashboard.ts'

const clock = testClock()
const password = 'a password of my own'
let t: TestApp
let org: Signed
let as: Record<Role, As>

const everyRole = ['owner', 'admin', 'staff', 'viewer'] as const
const signed = async (roles: readonly Role[] = everyRole) => {
  // An address has few tries a minute.
  clock.advance(60_000)
  const made = await signedOrganisation(t, {}, roles)
  const by = Object.fromEntries(roles.map((role) => [role, apiAs(t, made.cookies[role])])) as Record<Role, As>
  const ids = Object.fromEntries(made.users.map((user) => [user?.role, user?.user_id])) as Record<Role, string>
  return { made, by, ids }
}
const statusAndCode = (answer: { statusCode: number; json(): { error?: { code: string } } }) => [
  answer.statusCode,
  answer.json().error?.code,
]
const nobody = (headers = {}) => ({
  lookUp: (token: string) =>
    t.app.inject({ method: 'POST', url: '/api/invitations/look-up', payload: { token }, headers }),
  accept: (token: string) =>
    t.app.inject({ method: 'POST', url: '/api/invitations/accept', payload: { token, password }, headers }),
})
const invite = async (by: As, role: Role = 'staff', email = `${Math.random()}@new.test`) => {
  const answer = await by('POST', '/team/invitations', { email, role })
  const { url, invitation_id } = answer.json().data
  return { email, invitation_id: invitation_id as string, token: String(url).split('/invite/')[1] ?? '' }
}

beforeAll(async () => {
  t = await createTestApp({ clock })
  ;({ made: org, by: as } = await signed())
})

describe('who may change the team', () => {
  it('everybody sees the members; staff and viewers change nothing and see no invitation', async () => {
    const { ids } = await signed(['owner'])
    for (const role of everyRole) expect((await as[role]('GET', '/team/members')).json().data).toHaveLength(4)
    for (const role of ['staff', 'viewer'] as const) {
      for (const [method, path, body] of [
        ['GET', '/team/invitations', undefined],
        ['POST', '/team/invitations', { email: 'x@y.test', role: 'viewer' }],
        ['DELETE', `/team/invitations/inv_${'0'.repeat(32)}`, undefined],
        ['PATCH', `/team/members/${ids.owner}`, { role: 'viewer' }],
        ['DELETE', `/team/members/${ids.owner}`, undefined],
      ] as const) {
        expect(statusAndCode(await as[role](method, path, body)), `${role} ${method} ${path}`).toEqual([
          403,
          'FORBIDDEN',
        ])
      }
    }
  })

  it('an admin makes, changes and removes no owner, but runs everybody else', async () => {
    const { by, ids } = await signed()
    const refused = [403, 'FORBIDDEN']
    expect(statusAndCode(await by.admin('PATCH', `/team/members/${ids.staff}`, { role: 'owner' }))).toEqual(refused)
    expect(statusAndCode(await by.admin('PATCH', `/team/members/${ids.admin}`, { role: 'owner' }))).toEqual(refused)
    expect(statusAndCode(await by.admin('PATCH', `/team/members/${ids.owner}`, { role: 'viewer' }))).toEqual(refused)
    expect(statusAndCode(await by.admin('DELETE', `/team/members/${ids.owner}`))).toEqual(refused)
    expect(statusAndCode(await by.admin('POST', '/team/invitations', { email: 'a@b.test', role: 'owner' }))).toEqual(
      refused,
    )
    const { invitation_id } = await invite(by.owner, 'owner')
    expect(statusAndCode(await by.admin('DELETE', `/team/invitations/${invitation_id}`))).toEqual(refused)
    expect((await by.admin('PATCH', `/team/members/${ids.staff}`, { role: 'viewer' })).json().data.role).toBe('viewer')
    expect((await by.admin('DELETE', `/team/members/${ids.viewer}`)).statusCode).toBe(200)
  })

  it('a role counts from the next request on, and removal ends every session', async () => {
    const { made, by, ids } = await signed()
    await by.owner('PATCH', `/team/members/${ids.admin}`, { role: 'viewer' })
    expect((await by.admin('PATCH', '/organisation', { name: 'Mine' })).statusCode).toBe(403)
    expect((await by.admin('GET', '/team/members')).statusCode).toBe(200)
    await by.owner('DELETE', `/team/members/${ids.staff}`)
    expect((await by.staff('GET', '/team/members')).statusCode).toBe(401)
    const key = await t.app.inject({ url: '/api/v1/calls', headers: { cookie: made.cookies.staff } })
    expect(key.statusCode).toBe(401)
  })

  it("another organisation's member and invitation are like none at all", async () => {
    const { by, ids } = await signed(['owner', 'staff'])
    const { invitation_id } = await invite(by.owner)
    for (const userId of [ids.staff, `usr_${'0'.repeat(32)}`, 'x']) {
      expect((await as.owner('PATCH', `/team/members/${userId}`, { role: 'viewer' })).statusCode).toBe(404)
      expect((await as.owner('DELETE', `/team/members/${userId}`)).statusCode).toBe(404)
    }
    expect((await as.owner('DELETE', `/team/invitations/${invitation_id}`)).statusCode).toBe(404)
    expect((await by.owner('GET', '/team/invitations')).json().data).toHaveLength(1)
  })

  it('every change leaves an audit line with ids only', async () => {
    const { made, by, ids } = await signed(['owner', 'staff'])
    const { email } = await invite(by.owner)
    await by.owner('PATCH', `/team/members/${ids.staff}`, { role: 'admin' })
    await by.owner('DELETE', `/team/members/${ids.staff}`)
    const lines = (await by.owner('GET', '/audit-log')).json().data
    expect(lines.map((each: { action: string }) => each.action)).toEqual([
      'member.removed',
      'member.made_admin',
      'invitation.created',
    ])
    expect(lines[0]).toMatchObject({ actor: ids.owner, actor_email: made.users[0]?.email, resource_id: ids.staff })
    expect(JSON.stringify(lines)).not.toContain(email)
  })
})

describe('an owner stays', () => {
  it('409 when the last owner leaves or steps down', async () => {
    const { by, ids } = await signed(['owner', 'admin'])
    expect(statusAndCode(await by.owner('DELETE', `/team/members/${ids.owner}`))).toEqual([409, 'LAST_OWNER'])
    expect(statusAndCode(await by.owner('PATCH', `/team/members/${ids.owner}`, { role: 'admin' }))).toEqual([
      409,
      'LAST_OWNER',
    ])
    await by.owner('PATCH', `/team/members/${ids.admin}`, { role: 'owner' })
    expect((await by.owner('PATCH', `/team/members/${ids.owner}`, { role: 'admin' })).statusCode).toBe(200)
  })

  it('also when two owners remove each other, or both leave, at the same moment', async () => {
    for (const leave of [true, false]) {
      const { made, by, ids } = await signed(['owner', 'admin'])
      await by.owner('PATCH', `/team/members/${ids.admin}`, { role: 'owner' })
      const [first, second] = leave ? [ids.owner, ids.admin] : [ids.admin, ids.owner]
      await Promise.all([by.owner('DELETE', `/team/members/${first}`), by.admin('DELETE', `/team/members/${second}`)])
      const owners = await t.db.query(`select 1 from users where organisation_id = $1 and role = 'owner'`, [
        made.organisationId,
      ])
      expect(owners, leave ? 'both leave' : 'each removes the other').toHaveLength(1)
    }
  })
})

describe('an invitation', () => {
  it('opens once: whoever accepts is a member of that role, signed in; everyone later gets 404', async () => {
    const { by, made } = await signed(['owner'])
    const { token, email } = await invite(by.owner, 'staff')
    expect((await nobody().lookUp(token)).json().data).toMatchObject({
      email,
      role: 'staff',
      organisation_name: 'Acme Clinic',
    })
    const answers = await Promise.all([1, 2, 3].map(() => nobody().accept(token)))
    const statuses = answers.map((each) => each.statusCode)
    expect(statuses.toSorted()).toEqual([201, 404, 404])
    const cookie = String(answers[statuses.indexOf(201)]?.headers['set-cookie'])
    expect(cookie).toMatch(/^parley_session=\w{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/)
    const session = await t.app.inject({ url: '/api/session', headers: { cookie: cookie.split(';')[0] ?? '' } })
    expect(session.json().data).toMatchObject({
      user: { email, role: 'staff' },
      organisation: { organisation_id: made.organisationId },
    })
    expect(statusAndCode(await nobody().lookUp(token))).toEqual([404, 'NOT_FOUND'])
    const signIn = await t.app.inject({ method: 'POST', url: '/api/session', payload: { email, password } })
    expect(signIn.statusCode).toBe(200)
  })

  it('410 once it has expired; revoked, replaced and made-up ones are 404', async () => {
    const { by, made } = await signed(['owner'])
    const expired = await invite(by.owner)
    await t.db.query(`update invitations set expires_at = now() where organisation_id = $1`, [made.organisationId])
    expect(statusAndCode(await nobody().lookUp(expired.token))).toEqual([410, 'LINK_EXPIRED'])
    expect(statusAndCode(await nobody().accept(expired.token))).toEqual([410, 'LINK_EXPIRED'])
    const revoked = await invite(by.owner)
    await by.owner('DELETE', `/team/invitations/${revoked.invitation_id}`)
    const replaced = await invite(by.owner, 'staff', 'again@new.test')
    const open = await invite(by.owner, 'viewer', 'AGAIN@new.test')
    for (const token of [revoked.token, replaced.token, 'made-up', `${open.token}x`]) {
      expect(statusAndCode(await nobody().accept(token)), token).toEqual([404, 'NOT_FOUND'])
    }
    const waiting = (await by.owner('GET', '/team/invitations')).json().data
    expect(waiting.map((each: { invitation_id: string }) => each.invitation_id)).toEqual([open.invitation_id])
    expect((await nobody().accept(open.token)).statusCode).toBe(201)
  })

  it('lives seven days, is stored as a hash, and its token appears in no log line', async () => {
    const { by } = await signed(['owner'])
    const { token, invitation_id } = await invite(by.owner)
    await nobody().lookUp(token)
    const [row] = await t.db.query<{ dump: string; days: number }>(
      `select i::text as dump, extract(epoch from expires_at - $2::timestamptz) / 86400 as days from invitations i
       where invitation_id = $1`,
      [invitation_id, clock.now()],
    )
    expect(Number(row?.days)).toBeCloseTo(7, 2)
    expect(row?.dump).not.toContain(token)
    expect(t.logLines.join()).not.toContain(token)
  })

  it('400 for a member, a bad address and a short password; 403 for a page of another site', async () => {
    const { by, made } = await signed(['owner'])
    const member = String(made.users[0]?.email).toUpperCase()
    const again = await by.owner('POST', '/team/invitations', { email: member, role: 'staff' })
    expect(again.json().error.details).toMatchObject([{ field: 'email', code: 'exists' }])
    for (const body of [{ email: 'x', role: 'staff' }, { email: 'a@b.test', role: 'king' }, { role: 'staff' }, {}])
      expect((await by.owner('POST', '/team/invitations', body)).statusCode).toBe(400)
    const { token } = await invite(by.owner)
    const url = '/api/invitations/accept'
    const short = await t.app.inject({ method: 'POST', url, payload: { token, password: 'short' } })
    expect(short.json().error.details).toMatchObject([{ field: 'password' }])
    const foreign = nobody({ origin: 'https://evil.example' })
    expect(statusAndCode(await foreign.accept(token))).toEqual([403, 'FORBIDDEN'])
    expect(statusAndCode(await foreign.lookUp(token))).toEqual([403, 'FORBIDDEN'])
    const origin = { origin: 'https://evil.example' }
    const body = { email: 'a@b.test', role: 'staff' }
    expect((await by.owner('POST', '/team/invitations', body, origin)).statusCode).toBe(403)
  })

  it('closes when whoever sent it is removed or gets another role', async () => {
    const { by, ids } = await signed(['owner', 'admin'])
    const first = await invite(by.admin)
    await by.owner('PATCH', `/team/members/${ids.admin}`, { role: 'viewer' })
    expect((await nobody().accept(first.token)).statusCode).toBe(404)
    await by.owner('PATCH', `/team/members/${ids.admin}`, { role: 'admin' })
    const second = await invite(by.admin)
    await by.owner('DELETE', `/team/members/${ids.admin}`)
    expect((await nobody().accept(second.token)).statusCode).toBe(404)
  })

  it('guessing is slowed down', async () => {
    clock.advance(60_000)
    const answers = []
    for (let i = 0; i < 21; i += 1) answers.push(await nobody().lookUp(`guess-${i}`))
    expect(answers.at(-1)?.statusCode).toBe(429)
    expect(org.organisationId).toBeTruthy()
  })
})
