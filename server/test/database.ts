import { inject } from 'vitest'
import { type Database, openDatabase } from '../src/platform/db.ts'
import { randomToken } from '../src/platform/secrets.ts'
import { atEnd } from './at-end.ts'
import { templateName } from './global-setup.ts'

/** A database of this test file's own, migrated and empty; dropped at the end. */
export async function createTestDatabase(options: { template?: boolean } = {}): Promise<{ db: Database; url: string }> {
  const name = `test_${randomToken(12).toLowerCase()}`
  const admin = openDatabase({ url: inject('postgresUrl'), applicationName: 'test admin', poolSize: 1 })
  const from = options.template === false ? 'template0' : templateName
  await admin.query(`create database ${name} template ${from} strategy file_copy`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  const db = openDatabase({ url: url.href, applicationName: `test ${name}` })
  atEnd(async () => {
    await db.close()
    await admin.query(`drop database ${name} with (force)`)
    await admin.close()
  })
  return { db, url: url.href }
}
