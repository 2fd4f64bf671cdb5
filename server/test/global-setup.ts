import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../src/platform/db.ts'
import { startEmbeddedPostgres } from '../src/platform/embedded/postgres.ts'
import { migrate, readMigrations } from '../src/platform/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

export const templateName = 'parley_template'
const roomNeeded = 1_000_000_000

/** Memory where there is enough of it: Docker gives /dev/shm only 64 MB. */
function fastFolder(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    if (bavail * bsize > roomNeeded) return '/dev/shm'
  } catch {}
  return os.tmpdir()
}

/** One real PostgreSQL for the run, with a migrated template; each test file works in a copy of its own. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(path.join(fastFolder(), 'parley-test-'))
  // Run by root, the database belongs to another user, who must be able to enter.
  chmodSync(dataDir, 0o755)
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }
  const postgres = await startEmbeddedPostgres({ dataDir, settings })
  const admin = openDatabase({ url: postgres.url, applicationName: 'test setup' })
  await admin.query(`create database ${templateName}`)
  await admin.close()
  const url = new URL(postgres.url)
  url.pathname = `/${templateName}`
  const template = openDatabase({ url: url.href, applicationName: 'test setup' })
  await migrate(template, readMigrations(path.resolve('server/migrations')))
  await template.close()
  project.provide('postgresUrl', postgres.url)
  return async () => {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
