import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from './config.ts'
import { type Database, holdPresence, isAway, openDatabase, type Presence } from './platform/db.ts'
import { startEmbeddedPostgres } from './platform/embedded/postgres.ts'
import { OperatorError } from './platform/errors.ts'
import { type Migration, migrate, readMigrations } from './platform/migrate.ts'
import { createVault, randomToken, type Vault } from './platform/secrets.ts'

/** This file lies one folder below server/, as source and in the bundle. */
export const serverFolder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

// Any number but the one of migrations.
const presenceLock = 7_275_396

export type Runtime = {
  db: Database
  vault: Vault
  secretKey: string
  migrations: Migration[]
  embedded: boolean
  /** Ends the connections and, as told, the embedded database: see stopEmbedded. */
  close(leave: 'server' | 'command' | 'failed'): Promise<void>
}

/** What the server and every command need: the database, up to date, and the key to its secrets. */
export async function openRuntime(
  config: Config,
  { as, onNotice }: { as: 'server' | 'command'; onNotice?: (text: string) => void },
): Promise<Runtime> {
  const applicationName = `parley ${as} ${process.pid}`
  const migrations = readMigrations(path.join(serverFolder, 'migrations'))
  const secretKey = config.secretKey ?? keptSecretKey(config.dataDir)
  for (let attempt = 1; ; attempt += 1) {
    const embedded = config.databaseUrl
      ? null
      : await startEmbeddedPostgres({ dataDir: config.dataDir, ...(onNotice ? { onNotice } : {}) })
    const db = openDatabase({ url: config.databaseUrl ?? (embedded?.url as string), applicationName })
    let presence: Presence | undefined
    try {
      if (embedded) presence = await holdPresence(embedded.url, applicationName, presenceLock)
      await migrate(db, migrations)
    } catch (error) {
      await db.close()
      await presence?.close().catch(() => {})
      // The process that had started the embedded database may just be stopping it: then start our own.
      const stopping = embedded !== null && isAway(error)
      if (stopping && attempt < 5) continue
      if (embedded?.startedHere) await embedded.stop()
      throw error
    }
    return {
      db,
      vault: createVault(secretKey),
      secretKey,
      migrations,
      embedded: embedded !== null,
      close: async (leave) => {
        const isAlone = (await presence?.leaveAsLast().catch(() => true)) ?? false
        await db.close()
        await presence?.close().catch(() => {})
        // The last one out turns off the light; a command only when it had lit it.
        if (embedded && isAlone && (leave === 'server' || embedded.startedHere)) await embedded.stop()
      },
    }
  }
}

/** Made once. Linked into place whole, so that two first starts end up with the same key. */
function keptSecretKey(dataDir: string): string {
  try {
    mkdirSync(dataDir, { recursive: true })
  } catch (error) {
    throw new OperatorError(`PARLEY_DATA_DIR ${dataDir} cannot be used as a folder: ${(error as Error).message}.`)
  }
  const file = path.join(dataDir, 'secret.key')
  const draft = `${file}.${process.pid}`
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error
  }
  writeFileSync(draft, `${randomToken()}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return readFileSync(file, 'utf8').trim()
}
