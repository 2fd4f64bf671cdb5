import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readApplyFile } from '../../src/cli/apply-faults.ts'
import { createTestApp } from '../app.ts'
import { openBooks } from './applied.ts'
import { apply, applyText, expectRefusal, makeFolder, parley } from './process.ts'

describe('a file with faults', () => {
  const faulty = {
    organisation: { name: 'Faulty', plan: 'base', timezone: 'Mars/Olympus', colour: 'red' },
    users: [
      { email: 'y@x.test', password: 'short' },
      { email: 'x@x.test', password: 'long enough' },
      { email: 'X@x.test', password: 'long enough' },
    ],
    phone_numbers: [{ number: '5005550000' }, { number: '+15005550001' }, { number: '+15005550001' }],
    agents: [
      { name: 'Mute', number: '+15005557777' },
      { name: 'Lost', branch: 'Nowhere' },
      { name: 'Asha' },
      { name: 'Asha' },
    ],
    branches: [{ name: 'Main', timezone: 'Asia/Kolkatta' }, { name: 'Annex' }, { name: 'Annex' }],
    services: [{ name: 'Advice', branches: ['Nowhere'] }, { name: 'Check-up' }, { name: 'Check-up' }],
    do_not_call: ['nobody'],
    api_keys: Array.from({ length: 6 }, (_, i) => ({ name: `key ${i}` })),
    webhook_endpoints: [
      { url: 'https://example.com/one' },
      { url: 'https://example.com/two' },
      { url: 'http://example.com/hook' },
      { url: 'https://127.0.0.1/hook' },
    ],
  }

  it('changes nothing and has every fault named at once', async () => {
    const { settings, count } = await openBooks()
    const exit = await apply(faulty, settings)
    expect(exit.stdout).toBe('')
    expectRefusal(
      exit,
      /organisation\.timezone: .*time zone/,
      /organisation\.colour: .*no field/,
      /users\.0\.password: /,
      /users\.2\.email: .*twice/,
      /phone_numbers\.0\.number: .*E\.164/,
      /phone_numbers\.2\.number: .*twice/,
      /agents\.0\.number: \+15005557777 /,
      /agents\.3\.name: .*twice/,
      /agents\.1\.branch: Nowhere /,
      /branches\.0\.timezone: .*time zone/,
      /branches\.2\.name: .*twice/,
      /services\.0\.branches\.0: Nowhere /,
      /services\.2\.name: .*twice/,
      /do_not_call\.0: .*E\.164/,
      /api_keys\.5: .*Base plan allows 5 active API keys/,
      /webhook_endpoints\.2\.url: .*https/,
      /webhook_endpoints\.3\.url: .*(public|this service)/,
      /webhook_endpoints\.1: .*Base plan allows 1 webhook endpoint/,
    )
    expect(await count('organisations')).toBe(0)
  })

  it('has all of one kind named: what only the database and the address guard can tell', async () => {
    const { settings, count } = await openBooks()
    const file = {
      organisation: { name: 'Faulty' },
      agents: [{ name: 'A', number: '+15005557777', branch: 'Nowhere' }],
      api_keys: faulty.api_keys,
      webhook_endpoints: [{ url: 'https://[::1]/hook' }, { url: 'https://localhost/hook' }],
    }
    const exit = await apply(file, settings)
    expect(exit.stdout).toBe('')
    const fields = [
      'agents.0.number',
      'agents.0.branch',
      'api_keys.5',
      'webhook_endpoints.0.url',
      'webhook_endpoints.1.url',
    ]
    expectRefusal(exit, ...fields.map((field) => `  ${field}: `), /webhook_endpoints\.1: .*plan/)
    expect(await count('organisations')).toBe(0)
  })

  it.each([
    {
      kind: 'shape',
      file: { organisation: { plan: 'gold', credits: -1 }, phones: [], agents: [{ type: 'robot' }] },
      fields: ['agents.0.name', 'agents.0.type', 'organisation.credits', 'organisation.plan', 'phones'],
    },
    {
      kind: 'format',
      file: {
        organisation: { name: 'Faulty' },
        phone_numbers: [{ number: '5005550000' }],
        branches: [{ name: 'Main', timezone: 'Mars' }, { name: 'Main' }],
        agents: [{ name: 'A', retry: { delay: 'soon' } }],
        api_keys: [{ name: 'K', expires_at: 'tomorrow' }],
      },
      fields: [
        'agents.0.retry.delay',
        'api_keys.0.expires_at',
        'branches.0.timezone',
        'branches.1.name',
        'phone_numbers.0.number',
      ],
    },
  ])('has all of one kind named: $kind', ({ file, fields }) => {
    const found = readApplyFile(file).faults.map((each) => each.field)
    expect(found).toEqual(expect.arrayContaining(fields))
  })

  it('has faults of every kind named together, also of one item and without a name for the organisation', async () => {
    const { settings } = await openBooks()
    const file = {
      organisation: { name: '', plan: 'gold' },
      phone_numbers: [{ number: '5', max_concurrent: 0, trunk: 'Nowhere' }],
      agents: [{ name: 'A', type: 'robot', number: '+15005557777', branch: 'Nowhere', retry: { delay: 'x' } }],
      branches: [{ name: 'Main', timezone: 'Mars', colour: 'red' }],
      services: [{ name: 'Advice', duration_minutes: 0, branches: ['Main', 'Nowhere'] }],
      do_not_call: [5, 'nobody'],
      api_keys: [{ name: 'K', scopes: ['all'], expires_at: 'tomorrow' }],
      webhook_endpoints: [{ url: 'http://example.com/hook', events: ['call.answered'] }],
    }
    const exit = await apply(file, settings)
    const fields = [...exit.stderr.matchAll(/^ {2}([\w.]+): /gm)].map(([, field]) => field)
    expect(fields.toSorted()).toEqual([
      'agents.0.branch',
      'agents.0.number',
      'agents.0.retry.delay',
      'agents.0.type',
      'api_keys.0.expires_at',
      'api_keys.0.scopes.0',
      'branches.0.colour',
      'branches.0.timezone',
      'do_not_call.0',
      'do_not_call.1',
      'organisation.name',
      'organisation.plan',
      'phone_numbers.0.max_concurrent',
      'phone_numbers.0.number',
      'phone_numbers.0.trunk',
      'services.0.branches.1',
      'services.0.duration_minutes',
      'webhook_endpoints.0.events.0',
      'webhook_endpoints.0.url',
    ])
  })

  it('names a text the database cannot hold by its field, and the organisation only once', () => {
    const { file, faults } = readApplyFile({ organisation: { name: 5 }, agents: [{ name: 'a\0b' }, { name: 'B' }] })
    expect(faults.map((each) => each.field)).toEqual(['organisation.name', 'agents.0.name'])
    expect(file.agents).toEqual([{ name: 'B' }])
  })

  it('of an organisation that is not there has its other faults named too', async () => {
    const { settings } = await openBooks()
    const file = { organisation: { organisation_id: 'org_nobody' }, agents: [{ name: 'A', retry: { delay: 'x' } }] }
    expectRefusal(await apply(file, settings), /organisation\.organisation_id: /, /agents\.0\.retry\.delay: /)
  })

  it('of an organisation that exists leaves it as it was', async () => {
    const { settings, count, applyTo } = await openBooks()
    const made = await applyTo({
      organisation: { name: 'X' },
      users: [{ email: 'x@x.test' }],
      branches: [{ name: 'Main' }],
      agents: [{ name: 'Asha' }],
    })
    const organisation_id = made.organisation.organisation_id
    const again = {
      organisation: { organisation_id, credits: 10 },
      users: [{ email: 'X@X.test' }],
      branches: [{ name: 'Main' }, { name: 'New' }],
      agents: [{ name: 'Asha' }],
    }
    const taken = await apply(again, settings)
    expectRefusal(taken, /users\.0\.email: .*exists/, /branches\.0\.name: .*exists/, /agents\.0\.name: .*exists/)
    expect(await count('branches')).toBe(1)
    expect(await count('credit_entries')).toBe(0)
    const renamed = await apply({ organisation: { organisation_id, name: 'Y', plan: 'enterprise' } }, settings)
    expectRefusal(renamed, /organisation\.name: /, /organisation\.plan: /)
    const unknown = await apply({ organisation: { organisation_id: 'org_nobody' } }, settings)
    expectRefusal(unknown, /organisation\.organisation_id: .*no such organisation/)
    expect([taken, renamed, unknown].map(({ stdout }) => stdout)).toEqual(['', '', ''])
  })

  it('is told so when it is not JSON, not an object, not there, or not named', async () => {
    const { settings } = await openBooks()
    const folder = await makeFolder()
    const [cut, list, nameless, missing, unnamed] = await Promise.all([
      applyText('{"organisation": {"name": "X"', settings),
      applyText('[]', settings),
      applyText('{"organisation":{}}', settings),
      parley(['apply', path.join(folder, 'none.json')], settings),
      parley(['apply'], settings),
    ])
    expectRefusal(cut, /not valid JSON/)
    expectRefusal(list, /file: .*object/)
    expectRefusal(nameless, /organisation\.name: /)
    expectRefusal(missing, /none\.json/)
    expectRefusal(unnamed, /apply FILE/)
    for (const exit of [cut, list, nameless, missing, unnamed]) expect(exit.stdout).toBe('')
  })

  it('is also one whose real number another file takes at the same moment', async () => {
    const { db, organisation } = await createTestApp()
    const file = { phone_numbers: [{ number: '+14155550123', carrier: 'sip' as const }], agents: [] }
    const results = await Promise.allSettled([1, 2, 3].map(() => organisation(file)))
    const refused = results.filter((each) => each.status === 'rejected')
    expect(refused).toHaveLength(2)
    for (const { reason } of refused) expect.soft(reason.message).toMatch(/phone_numbers\.0\.number: /)
    expect(await db.query('select count(*)::int from organisations')).toEqual([{ count: 1 }])
  })
})
