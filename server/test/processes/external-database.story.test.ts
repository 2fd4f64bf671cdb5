import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createTestDatabase } from '../database.ts'
import { apply, ask, checkout, expectSuccess, makeFolder, readJson, startedServer } from './process.ts'

const PARLEY_SECRET_KEY = 'a secret key of the tests'
type Applied = { organisation: { inbound: { url: string; token: string } }; api_keys: { key: string }[] }

async function emptyDatabase() {
  const { db, url } = await createTestDatabase({ template: false })
  const migrationsIn = async () =>
    (await db.query<{ name: string }>('select name from schema_migrations order by version')).map(({ name }) => name)
  return { db, migrationsIn, settings: { DATABASE_URL: url, PARLEY_SECRET_KEY } }
}

const allMigrations = async () =>
  (await readdir(path.join(checkout, 'server/migrations'))).filter((name) => name.endsWith('.sql')).sort()

describe('a server on DATABASE_URL', () => {
  it('makes its tables, no demo, serves what apply made, and leaves the database running', async () => {
    const { db, migrationsIn, settings } = await emptyDatabase()
    const dataDir = path.join(await makeFolder(), 'data')
    const server = await startedServer({ ...settings, PARLEY_DATA_DIR: dataDir })
    expect(server.stdout()).toContain('the PostgreSQL server of DATABASE_URL')
    expect(server.stdout()).not.toMatch(/pk_|hooks|password|demo/)
    expect(server.stdout()).not.toContain(new URL(settings.DATABASE_URL).password)
    expect(await ask(`${server.url}/readyz`)).toEqual({ status: 200, body: { status: 'ready' } })
    expect(await migrationsIn()).toEqual(await allMigrations())
    expect(await db.query('select * from organisations')).toEqual([])

    const file = { organisation: { name: 'Outside' }, api_keys: [{ name: 'all' }] }
    const made = readJson<Applied>(await apply(file, { ...settings, PORT: server.port }))
    expect(made.organisation.inbound.url).toBe(`${server.url}/v1/hooks/${made.organisation.inbound.token}`)
    const calls = await ask(`${server.url}/v1/calls`, made.api_keys[0]?.key)
    expect(calls).toMatchObject({ status: 200, body: { data: [] } })

    expectSuccess(await server.stop())
    expect(await db.query('select name from organisations')).toEqual([{ name: 'Outside' }])

    // A second start finds everything in place.
    const again = await startedServer({ ...settings, PARLEY_DATA_DIR: dataDir })
    expect((await ask(`${again.url}/v1/calls`, made.api_keys[0]?.key)).status).toBe(200)
    expectSuccess(await again.stop())
  })

  it('comes up beside others that start on the same empty database at the same moment', async () => {
    const { db, migrationsIn, settings } = await emptyDatabase()
    const servers = await Promise.all([1, 2, 3].map(() => startedServer(settings)))
    for (const server of servers) expect((await ask(`${server.url}/readyz`)).status).toBe(200)
    expect(await migrationsIn()).toEqual(await allMigrations())
    for (const server of servers) expectSuccess(await server.stop())
    expect(await db.query('select 1 as alive')).toEqual([{ alive: 1 }])
  })
})
