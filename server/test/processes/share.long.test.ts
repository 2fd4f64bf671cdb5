import { beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '../database.ts'
import { apply, expectRefusal, parley, readJson, type Server, type Settings, startedServer } from './process.ts'

type Applied = { api_keys: { key: string }[]; agents: { agent_id: string }[] }
type Link = { call_id: string; call_details_url: string; share_token: string; expires_at: string | null }
type Setting = { public_share: { enabled: boolean; expiry: string | null } }

let settings: Settings
let server: Server
let key: string
let callId: string

beforeAll(async () => {
  const database = await createTestDatabase()
  settings = { DATABASE_URL: database.url, PARLEY_SECRET_KEY: 'a secret key of the tests', PARLEY_CALL_DELAY: '1h' }
  server = await startedServer(settings)
  settings.PARLEY_BASE_URL = server.url
  const made = readJson<Applied>(
    await apply(
      {
        organisation: { name: 'Acme' },
        phone_numbers: [{ number: '+15005550000' }],
        agents: [{ name: 'Asha', number: '+15005550000' }],
        api_keys: [{ name: 'all' }],
      },
      settings,
    ),
  )
  key = String(made.api_keys[0]?.key)
  const answer = await fetch(`${server.url}/v1/calls`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ agent_id: made.agents[0]?.agent_id, user_number: '+15005550001' }),
  })
  callId = ((await answer.json()) as { data: { call_id: string } }).data.call_id
}, 120_000)

const share = (...words: string[]) => parley(['share', ...words], settings)
const status = async ({ call_details_url }: Link) => (await fetch(call_details_url)).status

describe('parley share, beside a running server', () => {
  it('is off at first, and no link can be had', async () => {
    expect(readJson<Setting>(await share('show')).public_share).toEqual({ enabled: false, expiry: null })
    expectRefusal(await share('link', callId), 'sharing is off')
  })

  it('switches on with an expiry, gives the link, closes it, makes another, and closes all', async () => {
    const on = readJson<Setting>(await share('on', '--expiry', 'day'))
    expect(on.public_share).toEqual({ enabled: true, expiry: 'day' })
    const link = readJson<Link>(await share('link', callId))
    expect(await status(link)).toBe(200)
    expect(readJson<Link>(await share('link', callId))).toEqual(link)
    expect(Date.parse(String(link.expires_at)) - Date.now()).toBeGreaterThan(86_000_000)

    await share('revoke', callId)
    expect(await status(link)).toBe(404)
    expectRefusal(await share('link', callId), 'revoked')
    const other = readJson<Link>(await share('link', callId, '--new'))
    expect(other.share_token).not.toBe(link.share_token)
    expect([await status(link), await status(other)]).toEqual([404, 200])

    readJson(await share('off'))
    expect(await status(other)).toBe(404)
    expect(readJson<Setting>(await share('on', '--expiry', 'never')).public_share.expiry).toBeNull()
    expect(await status(other)).toBe(200)
    expect(readJson(await share('revoke', '--all'))).toMatchObject({ revoked: 1 })
    expect(await status(other)).toBe(404)
  })

  it('says what it was not told', async () => {
    expectRefusal(await share(), 'share on|off')
    expectRefusal(await share('on', '--expiry', 'year'), 'hour, day, week, month or never')
    expectRefusal(await share('link'), 'Say which call')
    expectRefusal(await share('revoke'), 'Say which call')
    expectRefusal(await share('revoke', `call_${'0'.repeat(32)}`), 'No link')
  })
})
