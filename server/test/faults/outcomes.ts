import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { openDatabase } from '../../src/platform/db.ts'
import { startEmbeddedPostgres } from '../../src/platform/embedded/postgres.ts'
import { apply, makeDataDir, makeFolder, type Server, startedServer } from '../processes/process.ts'
import { isRunning, postgresServersBelow, send } from '../processes/process-tree.ts'
import { until } from '../processes/until.ts'
import { answering, caFile, startReceiver } from '../receiver.ts'
import { createWire } from './proxy.ts'

const program = ['server/dist/parley.mjs', 'start']
type Fault = 'kill' | 'restart'

/**
 * Calls and events flow through two nodes while nodes are killed with kill -9 and PostgreSQL is ended without a clean
 * stop. The receiver's ledger is held against the events of the database.
 */
export async function outcomesSurvive(faults: Fault[]): Promise<{ events: number; sends: number; duplicates: number }> {
  const dataDir = await makeDataDir()
  let embedded = await startEmbeddedPostgres({ dataDir })
  const wire = await createWire(embedded.url)
  const [receiver, failing] = [await startReceiver(), await startReceiver()]
  failing.behave(answering(500))
  const env = {
    DATABASE_URL: wire.url,
    PARLEY_SECRET_KEY: 'a secret for this test',
    PARLEY_DATA_DIR: await makeFolder(),
    PARLEY_SIMULATOR_SPEED: '200',
    PARLEY_CALL_DELAY: '0s',
    PARLEY_RATE_LIMIT_PER_MINUTE: '1000000',
    PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true',
    PARLEY_WEBHOOK_CA_FILE: await caFile(),
    // Whatever fails is tried again soon, and often enough to outlast every fault.
    PARLEY_WEBHOOK_RETRY_DELAYS: Array.from({ length: 30 }, () => '300ms').join(','),
    LOG_LEVEL: 'error',
  }
  const file = {
    organisation: { name: 'Ledger', plan: 'professional', credits: 1_000_000 },
    phone_numbers: [{ number: '+15005550000', max_concurrent: 1_000 }],
    agents: [{ name: 'Asha', number: '+15005550000' }],
    api_keys: [{ name: 'all' }],
    webhook_endpoints: [{ url: receiver.url }, { url: failing.url }],
  }
  const made = JSON.parse((await apply(file, env)).stdout)
  const headers = { 'x-api-key': made.api_keys[0].key, 'content-type': 'application/json' }
  const nodes: Server[] = [await startedServer(env, program), await startedServer(env, program)]

  let flowing = true
  const accepted = new Set<string>()
  const flow = async () => {
    for (let i = 0; flowing; i += 1) {
      const number = `+1500555${String(i % 3 === 0 ? 2 : 2_000 + (i % 1_000)).padStart(4, '0')}`
      const body = JSON.stringify({ agent_id: made.agents[0].agent_id, user_number: number })
      const url = `${nodes[i % 2]?.url}/v1/calls`
      const answer = await fetch(url, { method: 'POST', headers, body }).catch(() => null)
      if (answer?.status === 201) accepted.add(((await answer.json()) as { data: { call_id: string } }).data.call_id)
      await sleep(40)
    }
  }
  const flowed = flow()
  for (const [i, fault] of faults.entries()) {
    await sleep(1_200)
    if (fault === 'kill') {
      const at = i % 2
      await nodes[at]?.stop('SIGKILL')
      nodes[at] = await startedServer(env, program)
    } else {
      const pids = await postgresServersBelow(dataDir.replace(/\/data$/, ''))
      for (const pid of pids) send(pid, 'SIGQUIT')
      for (const pid of pids) await until(`PostgreSQL ${pid} to go`, async () => !(await isRunning(pid)))
      embedded = await startEmbeddedPostgres({ dataDir })
      wire.lead(embedded.url)
    }
  }
  await sleep(1_500)
  flowing = false
  await flowed

  const db = openDatabase({ url: embedded.url, applicationName: 'ledger' })
  try {
    const [good, bad] = made.webhook_endpoints.map((each: { endpoint_id: string }) => each.endpoint_id)
    const open = () =>
      db.query(
        `select 'call' as what, status, error_code as detail, count(*)::int from calls
         where status not in ('completed', 'failed', 'disallowed') or outcome_due_at is not null group by 2, 3
         union all
         select 'delivery', status, null, count(*)::int from webhook_deliveries
         where endpoint_id = $1 and status <> 'succeeded' group by 2`,
        [good],
      )
    await expect.poll(open, { timeout: 120_000, interval: 300 }).toEqual([])
    for (const node of nodes) await node.stop()

    const events = await db.query<{ event_id: string; call_id: string }>('select event_id, call_id from events')
    const ledger = new Map<string, number>()
    for (const { event } of receiver.received) ledger.set(event.event_id, (ledger.get(event.event_id) ?? 0) + 1)
    // Nothing lost: every event arrived, and every call that was accepted has its outcome among them.
    expect(events.filter(({ event_id }) => !ledger.has(event_id))).toEqual([])
    const reported = new Set(events.map((each) => each.call_id))
    expect([...accepted].filter((callId) => !reported.has(callId))).toEqual([])
    // A repeat is always the same event: nothing arrived that is not in the database.
    const known = new Set(events.map((each) => each.event_id))
    expect([...ledger.keys()].filter((id) => !known.has(id))).toEqual([])

    // The endpoint that always failed was switched off at exactly fifty, whoever died in between.
    const [state] = await db.query(
      'select status, consecutive_failures from webhook_endpoints where endpoint_id = $1',
      [bad],
    )
    expect(state).toEqual({ status: 'disabled', consecutive_failures: 50 })
    const [counted] = await db.query(
      `select count(*)::int as attempts, count(*) filter (where failure is not null)::int as failures
       from webhook_attempts join webhook_deliveries using (delivery_id) where endpoint_id = $1`,
      [bad],
    )
    expect(counted).toEqual({ attempts: 50, failures: 50 })
    return {
      events: events.length,
      sends: receiver.received.length,
      duplicates: receiver.received.length - events.length,
    }
  } finally {
    await db.close()
    wire.close()
    await embedded.stop()
  }
}
