import pg from 'pg'
import { newId } from '../src/platform/ids.ts'

/** The database's own rate: prepared single-row INSERTs into the real table, committed one by one, CONNECTIONS at once. */
const [url, seconds, connections] = process.argv.slice(2)
const endsAt = performance.now() + Number(seconds) * 1_000
let inserted = 0

const text = `insert into calls (call_id, organisation_id, agent_id, status, direction, source, contact_number,
  contact_name, scheduled_at, created_at, updated_at)
  values ($1, 'org_bench', 'agt_bench', 'scheduled', 'outbound', 'api', '+15005550001', 'Maya', $2, now(), now())`
const scheduledAt = new Date(Date.now() + 86_400_000)

async function client(): Promise<void> {
  const connection = new pg.Client({ connectionString: String(url) })
  await connection.connect()
  while (performance.now() < endsAt) {
    await connection.query({ name: 'insert', text, values: [newId('call'), scheduledAt] })
    inserted += 1
  }
  await connection.end()
}

await Promise.all(Array.from({ length: Number(connections) }, client))
process.stdout.write(`${JSON.stringify({ answered: inserted })}\n`)
