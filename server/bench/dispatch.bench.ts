import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { claimCalls } from '../src/calls/claim-calls.ts'
import { startDispatcher } from '../src/calls/dispatcher.ts'
import { queueDueCalls } from '../src/calls/due-calls.store.ts'
import { applyFile } from '../src/cli/apply.ts'
import { parseConfig } from '../src/config.ts'
import { wire } from '../src/main.ts'
import { createLog } from '../src/platform/log.ts'
import { openRuntime } from '../src/runtime.ts'
import { median } from './processes.ts'

const sizes = (process.argv[2] ?? '10000,100000,1000000').split(',').map(Number)
const dueNow = 10_000
const atOnce = 2_000
const organisations = 20

const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-bench-'))
// Run by root, the database belongs to another user, who must be able to enter.
chmodSync(folder, 0o755)
const say = (text: string) => void process.stdout.write(`${text}\n`)
const configFor = (speed: string) => parseConfig({ PARLEY_DATA_DIR: folder, PARLEY_SIMULATOR_SPEED: speed })
const runtime = await openRuntime(configFor('1'), { as: 'server' })
const { db } = runtime

const agents: { organisationId: string; agentId: string }[] = []
for (let i = 0; i < organisations; i += 1) {
  const made = await applyFile(
    runtime,
    {
      organisation: { name: `Bench ${i}`, credits: 1_000_000 },
      phone_numbers: [{ number: '+15005550000', max_concurrent: 1_000 }],
      agents: [{ name: 'Asha', number: '+15005550000' }],
    },
    configFor('1'),
  )
  agents.push({ organisationId: made.organisation.organisation_id, agentId: made.agents[0]?.agent_id ?? '' })
}

/** Straight into the table, spread over the organisations; `when` is SQL. */
const insertCalls = (count: number, when: string) =>
  db.query(
    `insert into calls (call_id, organisation_id, agent_id, status, direction, source, contact_number, scheduled_at,
       created_at, updated_at)
     select 'call_' || replace(gen_random_uuid()::text, '-', ''), ($1::text[])[1 + i % $3], ($2::text[])[1 + i % $3],
       'scheduled', 'outbound', 'api', '+1500555' || (2000 + i % 7000)::text, ${when}, now(), now()
     from generate_series(1, $4::int) i`,
    [agents.map((each) => each.organisationId), agents.map((each) => each.agentId), organisations, count],
  )
const count = async (condition: string) =>
  Number((await db.query<{ count: string }>(`select count(*) from calls where ${condition}`))[0]?.count)

async function idleClaimMs(): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 300; i += 1) {
    const began = performance.now()
    await queueDueCalls(db, null, 500)
    await claimCalls(db, 'node_bench', 500)
    times.push(performance.now() - began)
  }
  return median(times)
}

async function dispatchAll(): Promise<string> {
  const log = createLog('error')
  await insertCalls(dueNow, 'now()')
  const began = performance.now()
  const dispatcher = await startDispatcher(wire(configFor('1000'), runtime, log))
  while (
    (await count(
      `status in ('scheduled', 'queued', 'initiated', 'ringing', 'in_progress') and scheduled_at <= now()`,
    )) > 0
  ) {
    await sleep(100)
  }
  const seconds = (performance.now() - began) / 1_000
  await dispatcher.stop()
  const [late] = await db.query<{ p50: number; p99: number; done: string }>(
    `select count(*) as done,
       percentile_cont(0.5) within group (order by extract(epoch from triggered_at - scheduled_at)) as p50,
       percentile_cont(0.99) within group (order by extract(epoch from triggered_at - scheduled_at)) as p99
     from calls where triggered_at is not null`,
  )
  await db.query('delete from calls where triggered_at is not null')
  const figures = `${(Number(late?.done) / seconds).toFixed(0)} calls/s`
  return `${figures}, lateness p50 ${Number(late?.p50).toFixed(2)} s, p99 ${Number(late?.p99).toFixed(2)} s`
}

async function manyAtOnce(): Promise<void> {
  await insertCalls(atOnce, 'now()')
  const dispatcher = await startDispatcher(wire(configFor('1'), runtime, createLog('error')))
  let most = 0
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  for (let second = 0; second < 30; second += 1) {
    await sleep(1_000)
    most = Math.max(most, await count(`status = 'in_progress'`))
  }
  delay.disable()
  say(
    `${atOnce} calls at once in one process, real time, 30 s: up to ${most} talking, ${dispatcher.live()} in the air at the end`,
  )
  say(
    `  event loop delay p50 ${(delay.percentile(50) / 1e6).toFixed(1)} ms, p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms (wanted: under 100)`,
  )
  await dispatcher.stop()
}

try {
  say(
    `${os.cpus().length} cores shared by database and dispatcher; fsync on; simulated calls of half a minute, 1,000 times as fast.`,
  )
  let stored = 0
  for (const size of sizes) {
    for (; stored < size; stored += 100_000)
      await insertCalls(Math.min(100_000, size - stored), `now() + interval '1 day' + i * interval '1 second'`)
    stored = size
    await db.query('vacuum analyze calls')
    const idle = await idleClaimMs()
    say(
      `${size.toLocaleString('en')} stored calls: idle claim ${idle.toFixed(2)} ms; ${dueNow.toLocaleString('en')} due at once: ${await dispatchAll()}`,
    )
  }
  if (process.argv[3] !== 'short') await manyAtOnce()
} finally {
  await runtime.close('server')
  rmSync(folder, { recursive: true, force: true })
}
