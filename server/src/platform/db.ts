import pg from 'pg'
import { type Announcements, type Channel, createAnnouncements } from './announcements.ts'
import { ParleyError } from './errors.ts'
import { sha256Hex } from './secrets.ts'

export type Queryable = { query<Row>(text: string, values?: unknown[]): Promise<Row[]> }
/** What is announced in a transaction is told to listeners, on every node, once it is committed. */
export type Transaction = Queryable & { announce(channel: Channel, note?: string): void }
export type Database = Queryable &
  Pick<Announcements, 'announce' | 'onAnnounced'> & {
    transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
    close(): Promise<void>
  }

// The first time a statement is used it gets a name, so PostgreSQL plans it once per connection. Texts are few: stores
// hold whole statements and never paste values in.
const statementNames = new Map<string, string>()
function nameOf(text: string): string {
  let name = statementNames.get(text)
  if (!name) {
    name = `p_${sha256Hex(text).slice(0, 24)}`
    statementNames.set(text, name)
  }
  return name
}

const queryable = (client: pg.Pool | pg.PoolClient): Queryable => ({
  async query<Row>(text: string, values: unknown[] = []) {
    try {
      const result = await client.query({ name: nameOf(text), text, values })
      return result.rows as Row[]
    } catch (error) {
      throw translate(error)
    }
  },
})

/** A connection of its own that holds a shared lock: as long as it lives, others can tell that somebody is here. */
export type Presence = {
  /** Gives the lock up; true when nobody else holds it, and nobody can take it until the connection ends. */
  leaveAsLast(): Promise<boolean>
  close(): Promise<void>
}

export async function holdPresence(url: string, applicationName: string, lock: number): Promise<Presence> {
  const client = new pg.Client({ connectionString: url, application_name: applicationName, keepAlive: true })
  client.on('error', () => {})
  await client.connect()
  await client.query('select pg_advisory_lock_shared($1)', [lock])
  return {
    async leaveAsLast() {
      const { rows } = await client.query('select pg_advisory_unlock_shared($1), pg_try_advisory_lock($1) as alone', [
        lock,
      ])
      return rows[0]?.alone === true
    },
    close: () => client.end(),
  }
}

export type DatabaseOptions = { url: string; applicationName: string; poolSize?: number; statementTimeoutMs?: number }

export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.applicationName,
    max: options.poolSize ?? 12,
    connectionTimeoutMillis: 5_000,
    statement_timeout: options.statementTimeoutMs ?? 15_000,
    // A transaction somebody forgot would stop vacuum and slow every claim.
    idle_in_transaction_session_timeout: 15_000,
  })
  // An idle connection that breaks is replaced at the next query, which reports the trouble if it lasts.
  pool.on('error', () => {})
  const announcements = createAnnouncements(options, (text, values) => pool.query(text, values))
  return {
    ...queryable(pool),
    announce: announcements.announce,
    onAnnounced: announcements.onAnnounced,
    async transaction(work) {
      const client = await pool.connect().catch((error: unknown) => {
        throw translate(error)
      })
      let broken = false
      // While it is lent out, the pool does not listen: a connection that breaks between two statements would end the
      // process. The next statement reports the trouble.
      const onError = () => {
        broken = true
      }
      client.on('error', onError)
      const told: [Channel, string | undefined][] = []
      try {
        await client.query('begin')
        const result = await work({
          ...queryable(client),
          announce: (channel, note) => void told.push([channel, note]),
        })
        await client.query('commit')
        for (const what of told) announcements.announce(...what)
        return result
      } catch (error) {
        await client.query('rollback').catch(() => {
          broken = true
        })
        throw translate(error)
      } finally {
        client.off('error', onError)
        client.release(broken)
      }
    },
    close: async () => {
      await announcements.close()
      await pool.end()
    },
  }
}

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
])

/** The database is away, restarting, or too busy to hand out a connection: 503 and try again, not 500. */
function translate(error: unknown): unknown {
  if (!isAway(error) || error instanceof ParleyError) return error
  return new ParleyError('UNAVAILABLE', 'The service cannot reach its database. Try again shortly.', {
    headers: { 'retry-after': '2' },
  })
}

export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof ParleyError) return error.code === 'UNAVAILABLE'
  const code = 'code' in error ? String(error.code) : ''
  return (
    networkCodes.has(code) ||
    /^(08|57P0|53)/.test(code) ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
      error.message,
    )
  )
}

/** The constraint a row would have broken by being there twice; null for any other error. */
export const brokenUniqueness = (error: unknown): string | null =>
  error instanceof pg.DatabaseError && error.code === '23505' ? (error.constraint ?? '') : null

/** A row that is gone is still named by another, or a named one is not there. */
export const isBrokenReference = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '23503'
