import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Database, Queryable } from './db.ts'
import { sha256Hex } from './secrets.ts'

export type Migration = { version: number; name: string; sql: string; checksum: string }

// Any number will do, as long as every node takes the same one.
const advisoryLock = 7_275_395

export function readMigrations(folder: string): Migration[] {
  const files = readdirSync(folder).filter((file) => /^\d{4}-.+\.sql$/.test(file))
  return files.sort().map((file) => {
    const sql = readFileSync(path.join(folder, file), 'utf8')
    return { version: Number(file.slice(0, 4)), name: file, sql, checksum: sha256Hex(sql) }
  })
}

/** Forward only, each in its own transaction, one node at a time. Returns the names of those that were new. */
export async function migrate(db: Database, migrations: Migration[]): Promise<string[]> {
  const applied: string[] = []
  for (const migration of migrations) {
    const isNew = await db.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1)', [advisoryLock])
      await tx.query(
        'create table if not exists schema_migrations (version int primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())',
      )
      const [known] = await tx.query<{ checksum: string }>(
        'select checksum from schema_migrations where version = $1',
        [migration.version],
      )
      if (known && known.checksum !== migration.checksum) {
        throw new Error(`Migration ${migration.name} was changed after it had been applied. Add a new one instead.`)
      }
      if (known) return false
      await runScript(tx, migration.sql)
      await tx.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
        migration.version,
        migration.name,
        migration.checksum,
      ])
      return true
    })
    if (isNew) applied.push(migration.name)
  }
  return applied
}

/** A prepared statement holds one command only; a migration holds several, separated by a semicolon at a line's end. */
async function runScript(tx: Queryable, script: string): Promise<void> {
  for (const statement of script.split(/;\s*\n/)) {
    if (statement.replace(/--.*$/gm, '').trim() !== '') await tx.query(statement)
  }
}

/** Readiness: every migration this program knows is in. */
export async function migrationsAreIn(db: Queryable, migrations: Migration[]): Promise<boolean> {
  const [row] = await db.query<{ count: string }>('select count(*) from schema_migrations where version = any($1)', [
    migrations.map((each) => each.version),
  ])
  return Number(row?.count) === migrations.length
}
