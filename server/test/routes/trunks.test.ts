import { createServer } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { applyFile } from '../../src/cli/apply.ts'
import { readApplyFile } from '../../src/cli/apply-faults.ts'
import { parseConfig } from '../../src/config.ts'
import { createVault } from '../../src/platform/secrets.ts'
import { createTestApp } from '../app.ts'
import { type Signed, signedOrganisation } from '../dashboard.ts'
import { startAgent, trunkTo } from '../sip/agent.ts'

const t = await createTestApp({ settings: { PARLEY_SIP_ALLOW_PRIVATE: 'true', PARLEY_SIP_HOST: '127.0.0.1' } })
const strict = await createTestApp()
let org: Signed
beforeAll(async () => {
  org = await signedOrganisation(t, {}, ['owner', 'admin', 'staff', 'viewer'])
})
const ask = (role: keyof Signed['cookies'], method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) =>
  t.app.inject({
    method,
    url: `/api/trunks${url}`,
    headers: { cookie: org.cookies[role] },
    ...(body ? { payload: body } : {}),
  })
const carrier = {
  name: 'Carrier',
  host: 'sip.carrier.example',
  transport: 'tls',
  user: 'acme',
  password: 'open sesame',
}

describe('trunks in the dashboard', () => {
  it('are made, listed, changed and removed by managers, and no password comes back', async () => {
    const made = await ask('owner', 'POST', '', { ...carrier, register: true, srtp: 'offer' })
    expect(made.statusCode).toBe(201)
    const { trunk_id: id, ...rest } = made.json().data
    expect(rest).toMatchObject({
      name: 'Carrier',
      has_password: true,
      max_concurrent: 30,
      calls_per_second: 5,
      numbers: [],
    })
    const changed = await ask('admin', 'PATCH', `/${id}`, { calls_per_second: 9, port: 5071 })
    expect(changed.json().data).toMatchObject({ calls_per_second: 9, port: 5071, user: 'acme', has_password: true })
    const list = await ask('admin', 'GET', '')
    expect(list.json().data).toHaveLength(1)
    for (const answer of [made, changed, list]) expect(answer.body).not.toContain('sesame')
    const stored = await t.db.query<{ password: Buffer }>('select password from trunks where trunk_id = $1', [id])
    expect(stored[0]?.password.toString('latin1')).not.toContain('sesame')
    expect((await ask('owner', 'DELETE', `/${id}`)).statusCode).toBe(200)
    expect((await ask('owner', 'GET', '')).json().data).toEqual([])
    expect(t.logLines.join()).not.toContain('sesame')
  })

  it('name every fault at once', async () => {
    const answer = await ask('owner', 'POST', '', {
      name: '',
      host: 'sip.example:5060',
      port: 0,
      srtp: 'perhaps',
      colour: 'red',
    })
    const fields = answer.json().error.details.map((each: { field: string }) => each.field)
    expect([answer.statusCode, fields.toSorted()]).toEqual([400, ['colour', 'name', 'port', 'srtp']])
    const rules = await ask('owner', 'POST', '', {
      name: 'x',
      host: 'sip.example:5060',
      register: true,
      srtp: 'require',
      inbound_addresses: ['0.0.0.0/0', 'here', '203.0.113.0/24'],
    })
    expect(rules.json().error.details.map((each: { field: string }) => each.field)).toEqual([
      'host',
      'user',
      'srtp',
      'inbound_addresses.0',
      'inbound_addresses.1',
    ])
  })

  it('are for managers of the organisation only', async () => {
    const { trunk_id: id } = (await ask('owner', 'POST', '', carrier)).json().data
    for (const role of ['staff', 'viewer'] as const) {
      expect((await ask(role, 'GET', '')).statusCode).toBe(403)
      expect((await ask(role, 'PATCH', `/${id}`, { port: 1 })).statusCode).toBe(403)
    }
    const stranger = await signedOrganisation(t)
    for (const [method, url] of [
      ['PATCH', `/${id}`],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/test`],
    ] as const) {
      const payload = method === 'PATCH' ? { payload: { port: 5 } } : {}
      const headers = { cookie: stranger.cookies.owner }
      const answer = await t.app.inject({ method, url: `/api/trunks${url}`, headers, ...payload })
      expect([method, answer.statusCode]).toEqual([method, 404])
    }
    const twice = await ask('owner', 'POST', '', carrier)
    expect(twice.json().error.details).toEqual([expect.objectContaining({ field: 'name', code: 'exists' })])
    await ask('owner', 'DELETE', `/${id}`)
  })

  it('409 for one that a number uses', async () => {
    const used = await signedOrganisation(t, {
      trunks: [{ name: 'Carrier', host: '192.0.2.7' }],
      phone_numbers: [{ number: '+14155550199', carrier: 'sip', trunk: 'Carrier' }],
      agents: [],
    })
    const url = `/api/trunks/${used.trunks[0]?.trunk_id}`
    const answer = await t.app.inject({ method: 'DELETE', url, headers: { cookie: used.cookies.owner } })
    expect([answer.statusCode, answer.json().error.code]).toEqual([409, 'IN_USE'])
    expect(answer.json().error.message).toContain('+14155550199')
  })

  it('may not lead into the network of the service, unless the operator allows it', async () => {
    const strictOrg = await signedOrganisation(strict)
    const headers = { cookie: strictOrg.cookies.owner }
    for (const host of ['127.0.0.1', '10.1.2.3', '::1']) {
      const payload = { name: host, host }
      const answer = await strict.app.inject({ method: 'POST', url: '/api/trunks', headers, payload })
      expect(answer.json().error.details).toEqual([expect.objectContaining({ field: 'host', code: 'private_address' })])
    }
  })
})

describe('a trunk is tested', () => {
  const test = async (body: object) => {
    const name = `t${Math.random()}`
    const { trunk_id: id } = (await ask('owner', 'POST', '', { name, host: '127.0.0.1', ...body })).json().data
    const answer = await ask('owner', 'POST', `/${id}/test`)
    expect(answer.statusCode).toBe(200)
    return answer.json().data
  }

  it('a carrier that answers is well', async () => {
    const peer = await startAgent({ trunks: [trunkTo(1)] })
    const result = await test({ port: peer.ports.udp })
    expect(result).toMatchObject({ ok: true, steps: [{ step: 'options', ok: true }] })
    expect(result.round_trip_ms).toBeGreaterThanOrEqual(0)
    await peer.close()
  })

  it('a connection that is refused is called that', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    await new Promise((resolve) => server.close(resolve))
    const result = await test({ port, transport: 'tcp' })
    expect(result.ok).toBe(false)
    expect(result.steps[0].words).toMatch(/connection was refused/)
  })

  it('a name that leads nowhere is called that', async () => {
    const result = await test({ host: 'nobody.invalid' })
    expect(result.steps[0].words).toMatch(/nobody\.invalid leads nowhere|could not be found/)
  })
})

describe('trunks in a file of parley apply', () => {
  const file = (value: object) => {
    const { file: read, faults } = readApplyFile(value)
    const config = parseConfig({ PARLEY_DATA_DIR: t.dataDir })
    const vault = createVault('secret for tests only')
    return applyFile({ db: t.db, vault }, read, config, { faults, whole: value })
  }

  it('are printed by name and id, without the password, and their numbers use them', async () => {
    const made = await file({
      organisation: { name: 'Trunks' },
      trunks: [carrier],
      phone_numbers: [{ number: '+14155550177', carrier: 'sip', trunk: 'Carrier' }],
    })
    expect(made.trunks).toEqual([{ name: 'Carrier', trunk_id: expect.stringMatching(/^trk_/) }])
    expect(JSON.stringify(made)).not.toContain('sesame')
    const rows = await t.db.query(`select trunk_id from phone_numbers where number = '+14155550177'`)
    expect(rows).toEqual([{ trunk_id: made.trunks[0]?.trunk_id }])
  })

  it('have every fault named at once, and nothing is changed', async () => {
    const before = await t.db.query('select count(*) from organisations')
    const refused = file({
      organisation: { name: 'Faulty' },
      trunks: [
        { name: 'one', host: 'a.example', srtp: 'require' },
        { name: 'two', host: 'b.example', transport: 'pigeon' },
        { name: 'three', host: 'c.example' },
        { name: 'three', host: 'c.example' },
      ],
      phone_numbers: [
        { number: '+14155550161', carrier: 'sip' },
        { number: '+14155550162', carrier: 'sip', trunk: 'nowhere' },
        { number: '+14155550163', trunk: 'three' },
        { number: '+14155550164', carrier: 'sip', trunk: 'two' },
      ],
      agents: [
        { name: 'a', voicemail: { action: 'leave_message' } },
        { name: 'b', voicemail: { action: 'hang_up', message: 'Hello' } },
      ],
    })
    const error = await refused.catch((thrown: unknown) => thrown as Error)
    const lines = String((error as Error).message)
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(':')[0])
    expect(lines.toSorted()).toEqual(
      [
        'agents.0.voicemail.message',
        'agents.1.voicemail.message',
        'phone_numbers.1.trunk',
        'phone_numbers.2.trunk',
        'trunks.0.srtp',
        'trunks.1.transport',
        'trunks.3.name',
      ].toSorted(),
    )
    expect(await t.db.query('select count(*) from organisations')).toEqual(before)
  })
})
