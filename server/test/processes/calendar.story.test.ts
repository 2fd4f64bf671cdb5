import { beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '../database.ts'
import { apply, expectRefusal, parley, readJson, type Settings, startedServer } from './process.ts'

type Feed = { branch: string; branch_id: string; url: string | null; since: string }

let settings: Settings

beforeAll(async () => {
  const database = await createTestDatabase()
  settings = { DATABASE_URL: database.url, PARLEY_SECRET_KEY: 'a secret key of the tests' }
  const server = await startedServer(settings)
  settings.PARLEY_BASE_URL = server.url
  readJson(await apply({ organisation: { name: 'Acme' }, branches: [{ name: 'Main Street' }] }, settings))
}, 120_000)

const feed = (...words: string[]) => parley(['calendar', 'feed', ...words], settings)
const status = async (url: string | null) => (await fetch(url ?? '')).status

describe('parley calendar feed, beside a running server', () => {
  it('prints the address once, makes another, and closes it', async () => {
    const first = readJson<Feed>(await feed('Main Street'))
    expect(await status(first.url)).toBe(200)
    const again = await feed('Main Street')
    expect(JSON.parse(again.stdout)).toMatchObject({ url: null, since: first.since })
    expect(again.stderr).toContain('--regenerate')
    const second = readJson<Feed>(await feed('Main Street', '--regenerate'))
    expect([await status(first.url), await status(second.url)]).toEqual([404, 200])
    expect(readJson(await feed('Main Street', '--off'))).toMatchObject({ closed: true })
    expect(await status(second.url)).toBe(404)
  })

  it('says what it wants to know', async () => {
    expectRefusal(await feed('Elsewhere'), 'There are: Main Street')
    expectRefusal(await feed(), 'Say which branch')
  })
})
