import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, it } from 'vitest'
import { createTestApp } from '../app.ts'
import { createTestDatabase } from '../database.ts'

describe('log lines and 500s', () => {
  const person = { user_number: '+14155552671', user_name: 'Zebedee Quux', user_email: 'zeb.quux@private.test' }
  const login = { email: 'owner.zzyx@acme.test', password: 'swordfish-1234-xyz' }
  const idempotencyKey = 'zebedee-quux-order-77'

  it('hold nothing of what was said', async () => {
    // A database to break, of its own.
    const app = await createTestApp({ database: await createTestDatabase() })
    const org = await app.organisation({ users: [{ ...login, role: 'owner' }] })
    const call = { agent_id: org.agentId, ...person, additional_info: { note: 'allergic to zinc-9x' } }
    const create = (body: unknown = call, headers: object = { 'idempotency-key': idempotencyKey }) =>
      app.send(org.key, 'POST', '/v1/calls', body, headers)
    const signIn = (password = login.password) =>
      app.app.inject({ method: 'POST', url: '/api/session', payload: { ...login, password } })
    const statuses: number[] = []
    const note = async (answer: Promise<LightMyRequestResponse>) => {
      statuses.push((await answer).statusCode)
      return answer
    }

    const callId: string = (await note(create())).json().data.call_id
    await note(create())
    await note(create({ ...call, user_name: 'Zebedee Quux II' }))
    await note(create({ ...call, user_number: '+14155552671x' }, {}))
    await note(create({ ...call, [person.user_email]: person.user_number }, {}))
    await note(create(`{"user_name":"${person.user_name}", broken`))
    await note(create(JSON.stringify(call), { 'content-type': 'text/plain' }))
    await note(create(call, { 'idempotency-key': `${idempotencyKey} ${person.user_name}` }))
    await note(app.send(org.key, 'GET', `/v1/calls?contact_number=${encodeURIComponent(person.user_number)}`))
    await note(app.send(org.key, 'GET', `/v1/calls?status=${encodeURIComponent(person.user_email)}`))
    await note(app.send(org.key, 'GET', `/v1/calls/${person.user_number}/${person.user_email}?key=${org.key}`))
    await note(app.send(`${org.key}x`, 'GET', `/v1/calls/${callId}`))
    await note(app.send(org.key, 'GET', `/v1/calls/%zz${person.user_number}`))
    const session = String((await note(signIn())).cookies[0]?.value)
    await note(signIn('swordfish-wrong-999'))
    await note(app.app.inject({ url: '/api/session', cookies: { parley_session: session } }))

    // PostgreSQL quotes the row, the key or whatever a trigger likes in its messages.
    const breaks = [
      'alter table calls add constraint no_more check (contact_number is null) not valid',
      `create function shout() returns trigger language plpgsql as
       $$ begin raise exception '% % %', new.contact_name, new.contact_email, new.contact_number; end $$`,
      'create trigger shout before insert on calls for each row execute function shout()',
      'alter table calls drop column contact_email',
      'drop table idempotency_keys',
      'drop table sessions',
    ]
    const broken: LightMyRequestResponse[] = []
    for (const [at, statement] of breaks.entries()) {
      await app.db.query(statement)
      broken.push(await create(call, { 'idempotency-key': `${idempotencyKey}-${at}` }))
    }
    broken.push(await app.send(org.key, 'GET', '/v1/calls'), await signIn())
    await app.db.query('drop table api_keys')
    broken.push(await create())

    expect(statuses).toEqual([201, 201, 422, 422, 400, 400, 415, 400, 200, 400, 404, 401, 400, 200, 401, 200])
    for (const answer of broken) {
      const id = answer.headers['x-request-id']
      const message = 'Something went wrong on our side. Quote the request id when you tell us.'
      const error = { code: 'INTERNAL', message, details: [], request_id: id }
      expect([answer.statusCode, answer.json()]).toEqual([500, { success: false, error }])
      // Whoever quotes the id can be helped: the log knows the error by it.
      const line = app.logLines.find((each) => each.includes(`"level":"error"`) && each.includes(String(id)))
      expect(JSON.parse(line ?? '{}').err).toMatchObject({ code: expect.stringMatching(/^[0-9A-Z]{5}$/) })
    }
    const log = app.logLines.join('')
    const secrets = [person.user_name, 'Zebedee', 'Quux', 'zeb.quux', 'private.test', '4155552671', 'zinc-9x', org.key]
    const more = [
      session,
      login.email,
      'zzyx',
      login.password,
      'swordfish',
      idempotencyKey,
      'order-77',
      org.key.slice(3),
    ]
    for (const secret of [...secrets, ...more]) expect(log.toLowerCase()).not.toContain(secret.toLowerCase())
    expect(app.logLines.length).toBeGreaterThanOrEqual(statuses.length)
  })
})
