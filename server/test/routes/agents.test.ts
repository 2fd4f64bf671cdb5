import type { Role } from '@parley/contract/common'
import { beforeAll, describe, expect, it } from 'vitest'
import { readApplyFile } from '../../src/cli/apply-faults.ts'
import { createTestApp, type TestApp } from '../app.ts'
import { type As, apiAs, type Signed, signedOrganisation } from '../dashboard.ts'

let t: TestApp
let org: Signed
let as: Record<Role, As>
let stranger: As

beforeAll(async () => {
  t = await createTestApp({ workers: {} })
  org = await signedOrganisation(t, { branches: [{ name: 'Main' }] }, ['owner', 'admin', 'staff', 'viewer'])
  as = Object.fromEntries(
    (['owner', 'admin', 'staff', 'viewer'] as const).map((role) => [role, apiAs(t, org.cookies[role])]),
  ) as Record<Role, As>
  stranger = apiAs(t, (await signedOrganisation(t)).cookies.owner)
})

const actions = async () => {
  const { data } = (await as.owner('GET', '/audit-log')).json()
  return data.map((each: { action: string }) => each.action)
}

describe('agents in the dashboard', () => {
  it('one is made with what the form says, read back with its placeholders, and changed field by field', async () => {
    const branch = org.branches[0]?.branch_id
    const made = await as.admin('POST', '/agents', {
      name: 'Ravi',
      language: 'hi',
      number: '+15005550000',
      branch_id: branch,
      prompt: 'Ask {{user_name}} about order {{order}}.',
      greeting: 'Hello {{ user_name }}',
      retry: { max_attempts: 2, delay: '90s', on: ['no_answer', 'voicemail'] },
    })
    expect(made.statusCode).toBe(201)
    const { agent_id, created_at, updated_at, phone_number_id, ...agent } = made.json().data
    expect(agent).toEqual({
      name: 'Ravi',
      type: 'outbound',
      language: 'hi',
      prompt: 'Ask {{user_name}} about order {{order}}.',
      greeting: 'Hello {{ user_name }}',
      placeholders: ['user_name', 'order'],
      number: '+15005550000',
      carrier: 'simulator',
      branch_id: branch,
      branch_name: 'Main',
      retry: { max_attempts: 2, delay: '90s', delay_seconds: 90, on: ['no_answer', 'voicemail'] },
      voicemail: { action: 'hang_up', message: null },
      transfer_to: null,
      archived_at: null,
    })
    const change = await as.owner('PATCH', `/agents/${agent_id}`, { retry: { max_attempts: 3 }, branch_id: null })
    expect(change.json().data).toMatchObject({
      name: 'Ravi',
      branch_id: null,
      number: '+15005550000',
      retry: { max_attempts: 3, delay: '90s', on: ['no_answer', 'voicemail'] },
    })
    expect((await as.viewer('GET', `/agents/${agent_id}`)).json().data.retry.max_attempts).toBe(3)
    expect((await actions()).slice(0, 2)).toEqual(['agent.changed', 'agent.created'])
  })

  it('archived: it keeps its calls, has no number, takes no call, and comes back', async () => {
    const { agent_id } = (await as.owner('POST', '/agents', { name: 'Old', number: '+15005550000' })).json().data
    expect((await as.owner('PATCH', `/agents/${agent_id}`, { archived: true })).json().data).toMatchObject({
      number: null,
      archived_at: expect.any(String),
    })
    const names = async (query = '') =>
      (await as.viewer('GET', `/agents${query}`)).json().data.map((each: { name: string }) => each.name)
    expect(await names()).not.toContain('Old')
    expect(await names('?archived=include')).toContain('Old')
    const call = await t.send(org.key, 'POST', '/v1/calls', { agent_id, user_number: '+15005550001' })
    expect(call.json().error.code).toBe('AGENT_NOT_CALLABLE')
    const early = await as.owner('PATCH', `/agents/${agent_id}`, { number: '+15005550000' })
    expect(early.json().error.details).toMatchObject([{ field: 'number', code: 'archived' }])
    const restored = await as.owner('PATCH', `/agents/${agent_id}`, { archived: false, number: '+15005550000' })
    expect(restored.json().data).toMatchObject({ archived_at: null, number: '+15005550000' })
  })

  it('what parley apply refuses, the dashboard refuses, and the other way round', async () => {
    const agents: Record<string, unknown>[] = [
      { name: '' },
      { name: 'x'.repeat(201) },
      { name: 'A', type: 'sideways' },
      { name: 'A', language: '' },
      { name: 'A', prompt: 'x'.repeat(20_001) },
      { name: 'A', greeting: 7 },
      { name: 'A', retry: { max_attempts: 0 } },
      { name: 'A', retry: { max_attempts: 11 } },
      { name: 'A', retry: { delay: 'soon' } },
      { name: 'A', retry: { on: ['boredom'] } },
      { name: 'A', voice: 'deep' },
    ]
    for (const agent of agents) {
      const answer = await as.owner('POST', '/agents', agent)
      expect(answer.statusCode, JSON.stringify(agent).slice(0, 60)).toBe(400)
      const fields = answer.json().error.details.map((each: { field: string }) => each.field)
      const { faults } = readApplyFile({ organisation: { name: 'X' }, agents: [agent] })
      expect(faults.map((each) => each.field.replace('agents.0.', ''))).toEqual(fields)
    }
    for (const number of [{ number: '123' }, { number: '+15005550009', max_concurrent: 0 }, {}]) {
      const answer = await as.owner('POST', '/numbers', number)
      expect(answer.statusCode).toBe(400)
      const { faults } = readApplyFile({ organisation: { name: 'X' }, phone_numbers: [number] })
      expect(faults.map((each) => each.field.replace('phone_numbers.0.', ''))).toEqual(
        answer.json().error.details.map((each: { field: string }) => each.field),
      )
    }
  })

  it("400 for a taken name, somebody else's number or branch; 404 for their agent", async () => {
    const theirs = await signedOrganisation(t, {
      branches: [{ name: 'Theirs' }],
      phone_numbers: [{ number: '+15005551111' }],
      agents: [{ name: 'Secret' }],
    })
    const taken = await as.owner('POST', '/agents', { name: 'Asha' })
    expect(taken.json().error.details).toMatchObject([{ field: 'name', code: 'exists' }])
    const body = { name: 'New', number: '+15005551111', branch_id: theirs.branches[0]?.branch_id }
    expect((await as.owner('POST', '/agents', body)).json().error.details).toMatchObject([
      { field: 'number', code: 'not_found' },
      { field: 'branch_id', code: 'not_found' },
    ])
    for (const agentId of [theirs.agentId, `agt_${'0'.repeat(32)}`, 'x']) {
      expect((await as.owner('GET', `/agents/${agentId}`)).statusCode).toBe(404)
      expect((await as.owner('PATCH', `/agents/${agentId}`, { name: 'Mine' })).statusCode).toBe(404)
      expect((await as.owner('POST', `/agents/${agentId}/try`, { character: '0001' })).statusCode).toBe(404)
    }
  })

  it('viewers and staff read; they change nothing, and a foreign page changes nothing', async () => {
    const [{ phone_number_id }] = (await as.viewer('GET', '/numbers')).json().data
    const writes: [Parameters<As>[0], string, unknown][] = [
      ['POST', '/agents', { name: 'X' }],
      ['PATCH', `/agents/${org.agentId}`, { name: 'X' }],
      ['POST', '/numbers', { number: '+15005550002' }],
      ['PATCH', `/numbers/${phone_number_id}`, { max_concurrent: 1 }],
    ]
    for (const [method, path, body] of writes) {
      for (const role of ['viewer', 'staff'] as const)
        expect((await as[role](method, path, body)).statusCode, `${role} ${method} ${path}`).toBe(403)
      expect((await as.owner(method, path, body, { origin: 'https://evil.example' })).statusCode).toBe(403)
    }
    expect((await as.viewer('POST', `/agents/${org.agentId}/try`, { character: '0001' })).statusCode).toBe(403)
  })
})

describe('numbers in the dashboard', () => {
  it('one is added, its lines are changed, and it says who uses it', async () => {
    const made = await as.owner('POST', '/numbers', { number: '+15005550042' })
    expect([made.statusCode, made.json().data]).toMatchObject([
      201,
      { number: '+15005550042', carrier: 'simulator', max_concurrent: 10, in_the_air: 0, agents: [] },
    ])
    const { phone_number_id } = made.json().data
    expect(
      (await as.admin('PATCH', `/numbers/${phone_number_id}`, { max_concurrent: 3 })).json().data.max_concurrent,
    ).toBe(3)
    expect((await stranger('PATCH', `/numbers/${phone_number_id}`, { max_concurrent: 3 })).statusCode).toBe(404)
    const again = await as.owner('POST', '/numbers', { number: '+15005550042' })
    expect(again.json().error.details).toMatchObject([{ field: 'number', code: 'exists' }])
    const numbers = (await as.viewer('GET', '/numbers')).json().data
    const ashas = numbers.find((each: { number: string }) => each.number === '+15005550000')
    expect(ashas.agents).toContainEqual({ agent_id: org.agentId, name: 'Asha' })
    expect(await actions()).toContain('number.added')
  })

  it('only carriers this server is connected to are offered and taken', async () => {
    expect((await as.viewer('GET', '/agents/choices')).json().data.carriers).toEqual(['simulator', 'sip'])
    const answer = await as.owner('POST', '/numbers', { number: '+14155550100', carrier: 'twilio' })
    expect(answer.json().error.details).toMatchObject([{ field: 'carrier', code: 'not_available' }])
  })

  it('a sip number is reached through a trunk of its own organisation, and only such a number has one', async () => {
    const add = (body: object) => as.owner('POST', '/numbers', { number: '+14155550101', ...body })
    for (const body of [{ carrier: 'sip' }, { carrier: 'sip', trunk_id: 'trk_nobody' }, { trunk_id: 'trk_nobody' }]) {
      expect((await add(body)).json().error.details).toMatchObject([{ field: 'trunk_id' }])
    }
    const foreign = await signedOrganisation(t, { trunks: [{ name: 'carrier', host: 'sip.carrier.example' }] })
    const theirs = (await apiAs(t, foreign.cookies.owner)('GET', '/trunks')).json().data[0].trunk_id
    expect((await add({ carrier: 'sip', trunk_id: theirs })).statusCode).toBe(400)
    const own = await apiAs(t, foreign.cookies.owner)('POST', '/numbers', {
      number: '+14155550101',
      carrier: 'sip',
      trunk_id: theirs,
    })
    expect(own.json().data).toMatchObject({ carrier: 'sip', trunk_id: theirs })
  })

  it('what an agent does about voicemail is set, changed and checked', async () => {
    const set = (voicemail: object) => as.owner('PATCH', `/agents/${org.agentId}`, { voicemail })
    expect((await set({ action: 'leave_message' })).json().error.details).toMatchObject([
      { field: 'voicemail.message' },
    ])
    const left = { action: 'leave_message', message: 'Please call us back.' }
    expect((await set(left)).json().data.voicemail).toEqual(left)
    expect((await set({ action: 'hang_up' })).json().data.voicemail).toEqual({ action: 'hang_up', message: null })
  })
})

describe('whom an agent puts people through to', () => {
  const set = (transfer_to: unknown) => as.owner('PATCH', `/agents/${org.agentId}`, { transfer_to })

  it('is set, kept by other changes, taken away, and stands in the audit log as a change', async () => {
    expect((await set('+442071838750')).json().data.transfer_to).toBe('+442071838750')
    const renamed = await as.owner('PATCH', `/agents/${org.agentId}`, { prompt: 'Be brief.' })
    expect(renamed.json().data.transfer_to).toBe('+442071838750')
    expect((await set(null)).json().data.transfer_to).toBeNull()
    expect((await actions()).slice(0, 3)).toEqual(['agent.changed', 'agent.changed', 'agent.changed'])
    const made = await as.admin('POST', '/agents', { name: 'Tara', transfer_to: '+14155550123' })
    expect(made.json().data.transfer_to).toBe('+14155550123')
  })

  it.each(['4155550123', '+1 415 555 0123', 'sip:someone@example.com', '+14155550123;x=1', '', '+٤١٥٥٥٥٠١٢٣'])(
    '%j is no number: 400',
    async (number) => {
      const refused = await set(number)
      expect(refused.statusCode).toBe(400)
      expect(refused.json().error.details).toMatchObject([{ field: 'transfer_to', code: 'format' }])
    },
  )

  it('is for owners and admins to say', async () => {
    const asStaff = await as.staff('PATCH', `/agents/${org.agentId}`, { transfer_to: '+14155550123' })
    expect(asStaff.statusCode).toBe(403)
  })

  it('can be said in a file for `parley apply`, by the same rules', async () => {
    const faultsOf = (transfer_to: unknown) =>
      readApplyFile({ organisation: { name: 'Acme' }, agents: [{ name: 'Asha', transfer_to }] }).faults
    expect(faultsOf('+14155550123')).toEqual([])
    expect(faultsOf(null)).toEqual([])
    expect(faultsOf('4155550123')).toMatchObject([{ field: 'agents.0.transfer_to', code: 'format' }])
    expect(faultsOf(5)[0]).toMatchObject({ field: 'agents.0.transfer_to', code: 'type' })
    const applied = await signedOrganisation(t, { agents: [{ name: 'Isha', transfer_to: '+14155550123' }] })
    const { data } = (await apiAs(t, applied.cookies.owner)('GET', '/agents')).json()
    expect(data).toMatchObject([{ name: 'Isha', transfer_to: '+14155550123' }])
  })
})

describe('the voice of an agent', () => {
  it('is heard by whoever may look: its greeting as sound, in two channels; of a stranger’s agent nothing', async () => {
    const heard = await as.viewer('GET', `/agents/${org.agentId}/voice`)
    expect([heard.statusCode, heard.headers['content-type']]).toEqual([200, 'audio/wav'])
    expect(heard.rawPayload.subarray(0, 4).toString()).toBe('RIFF')
    expect(heard.rawPayload.subarray(44).some((byte) => byte !== 0)).toBe(true)
    expect((await stranger('GET', `/agents/${org.agentId}/voice`)).statusCode).toBe(404)
  })
})

describe('trying an agent', () => {
  it('is a call like any other, at once, to the chosen character', async () => {
    const body = { character: '0008', user_name: 'Maya', additional_info: { order: 'A-1' } }
    const answer = await as.staff('POST', `/agents/${org.agentId}/try`, body)
    expect(answer.statusCode).toBe(201)
    const call = await t.untilCall(org.key, answer.json().data.call_id, (each) => each.call_analytics !== null)
    expect(call).toMatchObject({
      call_to: '+15005550008',
      contact_name: 'Maya',
      additional_info: { order: 'A-1' },
      call_analytics: { disposition: 'not_interested' },
    })
    expect((await as.staff('POST', `/agents/${org.agentId}/try`, { character: '9999' })).statusCode).toBe(400)
  })

  it('a number on a real line is never dialled: 400 says why', async () => {
    const real = await signedOrganisation(t, {
      phone_numbers: [{ number: '+14155550199', carrier: 'sip' }],
      agents: [{ name: 'Real', number: '+14155550199' }],
    })
    const answer = await apiAs(t, real.cookies.owner)('POST', `/agents/${real.agentId}/try`, { character: '0001' })
    expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'AGENT_NOT_CALLABLE'])
    expect(answer.json().error.message).toContain('real line')
    expect(await t.db.query('select 1 from calls where organisation_id = $1', [real.organisationId])).toEqual([])
  })
})
