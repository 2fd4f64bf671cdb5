import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { createTestDatabase } from '../database.ts'
import { apply, makeFolder, type Server, startedServer } from '../processes/process.ts'

// Where in a call's life the process dies. The last: ended, its outcome not yet reported.
const steps = ['queued', 'initiated', 'ringing', 'in_progress', 'completed'] as const
const batch = 12

/**
 * Calls flow while the process carrying them is killed with kill -9, again and again, at every step between claim and
 * end. The carrier's own log says how often each phone rang.
 */
export async function killAtEveryStep(kills: number): Promise<void> {
  const { db, url } = await createTestDatabase({ template: false })
  const folder = await makeFolder()
  const dialLog = path.join(folder, 'dials.log')
  const env = {
    DATABASE_URL: url,
    PARLEY_SECRET_KEY: 'a secret for this test',
    PARLEY_DATA_DIR: folder,
    PARLEY_SIMULATOR_SPEED: '40',
    PARLEY_SIMULATOR_DIAL_LOG: dialLog,
    PARLEY_CALL_DELAY: '0s',
    PARLEY_RATE_LIMIT_PER_MINUTE: '1000000',
    LOG_LEVEL: 'error',
  }
  const file = {
    organisation: { name: 'Kill', plan: 'professional', credits: 1_000_000 },
    phone_numbers: [{ number: '+15005550000', max_concurrent: 1_000 }],
    agents: [{ name: 'Asha', number: '+15005550000' }],
    api_keys: [{ name: 'all' }],
  }
  const made = JSON.parse((await apply(file, env)).stdout)
  const [key, agentId] = [made.api_keys[0].key, made.agents[0].agent_id]
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const accepted: string[] = []
  const create = async (server: Server, i: number) => {
    const body = JSON.stringify({ agent_id: agentId, user_number: `+1500555${2000 + (i % 1_000)}` })
    const response = await fetch(`${server.url}/v1/calls`, { method: 'POST', headers, body }).catch(() => null)
    if (response?.status === 201) accepted.push(((await response.json()) as { data: { call_id: string } }).data.call_id)
  }
  const isThere = async (step: string) => {
    const rows = await db.query(
      `select 1 from calls where status = $1 and (status <> 'completed' or outcome_due_at is not null) limit 1`,
      [step],
    )
    return rows.length > 0
  }
  for (let kill = 0; kill < kills; kill += 1) {
    const server = await startedServer(env, ['server/dist/parley.mjs', 'start'])
    const step = steps[kill % steps.length] as string
    const creating = Promise.all(Array.from({ length: batch }, (_, i) => create(server, kill * batch + i)))
    for (let waited = 0; waited < 5_000 && !(await isThere(step)); waited += 2) await sleep(2)
    await server.stop('SIGKILL')
    await creating
  }
  const last = await startedServer(env, ['server/dist/parley.mjs', 'start'])
  const open = () =>
    db.query<{ call_id: string; status: string }>(
      `select call_id, status from calls where status not in ('completed', 'failed') or outcome_due_at is not null`,
    )
  await expect.poll(open, { timeout: 120_000, interval: 500 }).toEqual([])
  await last.stop()

  const rows = await db.query<{ call_id: string; status: string; error_code: string | null; events: string[] }>(
    `select c.call_id, c.status, c.error_code, array(select e.type from events e where e.call_id = c.call_id order by 1) as events
     from calls c`,
  )
  const dials = new Map<string, number>()
  for (const line of readFileSync(dialLog, 'utf8').trim().split('\n')) {
    const callId = line.split(' ')[0] ?? ''
    dials.set(callId, (dials.get(callId) ?? 0) + 1)
  }
  expect([...dials.values()].filter((count) => count > 1)).toEqual([])
  expect(accepted.filter((callId) => !rows.some((row) => row.call_id === callId))).toEqual([])
  for (const row of rows) {
    expect(row.events, `${row.call_id} ${row.status} ${row.error_code}`).toEqual(
      row.status === 'completed' ? ['call.completed', 'call.initiated'] : ['call.failed', 'call.initiated'],
    )
    if (row.status === 'completed') expect(dials.get(row.call_id)).toBe(1)
    if (row.status === 'failed') expect(row.error_code).toBe('node_lost')
  }
  expect(rows.some((row) => row.status === 'completed')).toBe(true)
  expect(rows.some((row) => row.error_code === 'node_lost')).toBe(true)
  const [left] = await db.query<{ held: string }>('select held from credit_balances')
  expect(left?.held).toBe('0')
}
