import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { describeSchema } from '../src/platform/describe-schema.ts'
import { migrate, readMigrations } from '../src/platform/migrate.ts'
import { createTestDatabase } from './database.ts'

const folder = path.resolve('server/migrations')
const file = path.resolve('server/schema.sql')

it('server/schema.sql is what the migrations lead to (npm run schema writes it)', async () => {
  const { db } = await createTestDatabase({ template: false })
  await migrate(db, readMigrations(folder))
  const schema = await describeSchema(db)
  if (process.env.PARLEY_WRITE_SCHEMA) writeFileSync(file, schema)
  expect(readFileSync(file, 'utf8')).toBe(schema)
})

it('migrations run once, and several nodes may try at the same moment', async () => {
  const { db } = await createTestDatabase({ template: false })
  const all = readMigrations(folder)
  const runs = await Promise.all(Array.from({ length: 5 }, () => migrate(db, all)))
  expect(runs.flat().toSorted()).toEqual(all.map((each) => each.name))
  expect(await migrate(db, all)).toEqual([])
})

it('a migration changed after it was applied is refused by name', async () => {
  const { db } = await createTestDatabase()
  const [first, ...rest] = readMigrations(folder)
  const changed = [{ ...(first as (typeof rest)[number]), checksum: 'other' }, ...rest]
  await expect(migrate(db, changed)).rejects.toThrow(`Migration ${first?.name} was changed`)
})

it('a migration that fails leaves nothing behind', async () => {
  const { db } = await createTestDatabase()
  const broken = {
    version: 9999,
    name: '9999-broken.sql',
    sql: 'create table half (a int);\nselect nonsense;\n',
    checksum: 'x',
  }
  await expect(migrate(db, [broken])).rejects.toThrow()
  expect(await db.query(`select to_regclass('half') as half`)).toEqual([{ half: null }])
})
