import { describe, expect, it } from 'vitest'
import { createTestApp } from '../app.ts'
import { type Applied, faultless, type Inbound, openBooks, text } from './applied.ts'
import { expectRefusal, parley, readJson } from './process.ts'

describe('parley keys and parley hook', () => {
  it('makes, lists and revokes keys, and holds the plan to its five', async () => {
    const { settings, applyTo } = await openBooks()
    expectRefusal(await parley(['keys', 'list'], settings), /no organisation yet/)
    await applyTo({ organisation: { name: 'X' }, api_keys: faultless(4) })
    const create = (name: string) => parley(['keys', 'create', '--name', name, '--scopes', 'calls:read'], settings)
    const fifth = readJson<Applied['api_keys'][number]>(await create('fifth'))
    expect(fifth).toEqual({ name: 'fifth', key_id: text(/^key_/), key: text(/^pk_[0-9A-Za-z]{43,}$/) })
    const sixth = await create('sixth')
    expectRefusal(sixth, 'The Base plan allows 5 active API keys. Revoke one or choose a larger plan.')
    expect(sixth.stdout).toBe('')

    const revoked = readJson(await parley(['keys', 'revoke', fifth.key_id], settings))
    expect(revoked).toMatchObject({ key_id: fifth.key_id, revoked_at: text(/Z$/) })
    readJson(await create('sixth'))

    const listed = await parley(['keys', 'list'], settings)
    const keys = readJson<{ name: string; scopes: string[]; revoked_at: string | null; ends_in: string }[]>(listed)
    expect(keys.map(({ name, revoked_at }) => [name, revoked_at !== null])).toEqual([
      ...faultless(4).map(({ name }) => [name, false]),
      ['fifth', true],
      ['sixth', false],
    ])
    expect(keys[4]).toMatchObject({ scopes: ['calls:read'], ends_in: fifth.key.slice(-4) })
    expect(listed.stdout).not.toContain(fifth.key)
  })

  it('makes a new hook URL', async () => {
    const { db, settings, applyTo } = await openBooks()
    const made = await applyTo({ organisation: { name: 'X' } })
    const hash = () => db.query<{ hash: string }>("select encode(inbound_token_hash, 'hex') as hash from organisations")
    const before = await hash()
    const answer = await parley(['hook', 'regenerate'], { ...settings, PARLEY_BASE_URL: 'https://parley.test/' })
    const { organisation_id, inbound } = readJson<{ organisation_id: string; inbound: Inbound }>(answer)
    expect(organisation_id).toBe(made.organisation.organisation_id)
    expect(inbound.token).not.toBe(made.organisation.inbound.token)
    expect(inbound.url).toBe(`https://parley.test/v1/hooks/${inbound.token}`)
    expect(await hash()).not.toEqual(before)
  })

  it('says what is wrong, and prints nothing else', async () => {
    const { settings, count, applyTo } = await openBooks()
    const one = await applyTo({ organisation: { name: 'One' } })
    const two = await applyTo({ organisation: { name: 'Two' }, api_keys: faultless(1) })
    const organisation = ['--organisation', one.organisation.organisation_id]
    const foreignKey = two.api_keys[0]?.key_id ?? ''
    const refusals: [string[], RegExp][] = [
      [['keys', 'list'], /several organisations.*--organisation/],
      [['hook', 'regenerate', '--organisation', 'org_nobody'], /no organisation org_nobody/],
      [['keys', 'revoke', 'key_nobody', ...organisation], /no such API key/],
      [['keys', 'revoke', foreignKey, ...organisation], /no such API key/],
      [['keys', 'revoke', ...organisation], /KEY_ID/],
      [['keys', 'create', '--name', 'x', '--scopes', 'calls:dance', ...organisation], /--scopes .*calls:create/],
      [['keys', 'create', '--scopes', '*', ...organisation], /--name/],
      [['keys', 'create', '--name', 'x', '--colour', 'red'], /--colour.*Usage/s],
      [['keys', 'dance'], /keys create.*keys list.*keys revoke/s],
      [['hook'], /hook regenerate/],
    ]
    const exits = await Promise.all(refusals.map(([words]) => parley(words, settings)))
    for (const [i, exit] of exits.entries()) {
      expectRefusal(exit, refusals[i]?.[1] ?? '')
      expect(exit.stdout).toBe('')
    }
    expect(await count('api_keys')).toBe(1)
    expect(await count('api_keys where revoked_at is not null')).toBe(0)
  })

  it('gives out exactly five keys when ten are asked for at once', async () => {
    const { db, organisation, keyWith } = await createTestApp()
    const { organisationId } = await organisation({ organisation: { name: 'Base', plan: 'base' }, api_keys: [] })
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => keyWith(organisationId, ['*'])))
    const refused = results.filter((each) => each.status === 'rejected')
    expect(refused).toHaveLength(5)
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'PLAN_LIMIT_REACHED' })
    const [row] = await db.query('select count(*)::int from api_keys where organisation_id = $1', [organisationId])
    expect(row).toEqual({ count: 5 })
  })
})
