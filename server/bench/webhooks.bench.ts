import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventExamples } from '@parley/contract/event-examples'
import { applyFile } from '../src/cli/apply.ts'
import { type Database, openDatabase } from '../src/platform/db.ts'
import { startEmbeddedPostgres } from '../src/platform/embedded/postgres.ts'
import { migrate, readMigrations } from '../src/platform/migrate.ts'
import { createVault } from '../src/platform/secrets.ts'
import { recordEvents } from '../src/webhooks/events.service.ts'
import { createTestCa } from '../test/certificates.ts'
import { distFolder, freePort, measure, median, program, rootFolder, startProgram } from './processes.ts'

const rounds = Number(process.argv[2] ?? 3)
const count = Number(process.argv[3] ?? 20_000)
const endpoints = 10
const concurrency = 100
const perSecond = 200
const latencySeconds = 12
const warmUpSeconds = 4
const secretKey = 'a secret for this benchmark'
const say = (text: string) => void process.stdout.write(`${text}\n`)

const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-bench-'))
chmodSync(folder, 0o755)
const file = (name: string, text: string) => {
  writeFileSync(path.join(folder, name), text)
  return path.join(folder, name)
}
const ca = await createTestCa()
const leaf = await ca.issue()
const caFile = file('ca.pem', ca.cert)
const receiverPort = await freePort()
const url = `https://localhost:${receiverPort}/hook`
const receiver = await startProgram(
  await program('receiver'),
  [String(receiverPort), file('key.pem', leaf.key), file('cert.pem', leaf.cert)],
  {},
  'listening',
  path.join(folder, 'receiver.log'),
)

const report = (): Promise<[string, number][]> =>
  new Promise((resolve, reject) => {
    const asked = request(`https://localhost:${receiverPort}/report`, { ca: ca.cert }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      answer.on('end', () => resolve(JSON.parse(text)))
    })
    asked.on('error', reject).end()
  })

const embedded = await startEmbeddedPostgres({ dataDir: folder })
const db = openDatabase({ url: embedded.url, applicationName: 'bench' })
await migrate(db, readMigrations(path.join(rootFolder, 'server/migrations')))
const vault = createVault(secretKey)
const settings = {
  DATABASE_URL: embedded.url,
  PARLEY_SECRET_KEY: secretKey,
  PARLEY_DATA_DIR: folder,
  PARLEY_ROLES: 'webhooks',
  PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true',
  PARLEY_WEBHOOK_CA_FILE: caFile,
  LOG_LEVEL: 'error',
}
const startParley = async () =>
  startProgram(
    path.join(distFolder, 'parley.mjs'),
    ['start'],
    { ...settings, PORT: String(await freePort()) },
    'Press Ctrl-C',
    path.join(folder, 'parley.log'),
  )

async function makeOrganisations(target: string): Promise<string[]> {
  const addresses = {
    baseUrl: 'http://127.0.0.1:1',
    dashboardUrl: 'http://127.0.0.1:1',
    webhooks: { retryDelaysMs: [], timeoutMs: 8_000, allowPrivate: true, caFile },
  }
  const made: string[] = []
  for (let i = 0; i < endpoints; i += 1) {
    const wanted = { organisation: { name: `Bench ${i}` }, webhook_endpoints: [{ url: target }] }
    made.push((await applyFile({ db, vault }, wanted, addresses)).organisation.organisation_id)
  }
  return made
}
const { data } = eventExamples['call.completed']
const record = (to: string[], from: Database = db) =>
  from.transaction((tx) =>
    recordEvents(
      tx,
      to.map((organisationId) => ({ organisationId, type: 'call.completed', callId: null, data })),
    ),
  )

// The first fifth is left out, for everyone: by then the code is compiled and the connections are there.
const rateOf = (times: [string, number][]): number => {
  const all = times.map(([, time]) => time).sort((a, b) => a - b)
  const at = all.slice(Math.floor(all.length / 5))
  return ((at.length - 1) / ((at.at(-1) ?? 0) - (at[0] ?? 0))) * 1_000
}

async function drainParley(): Promise<number> {
  const organisations = await makeOrganisations(url)
  for (let at = 0; at < count; at += 100) {
    await record(Array.from({ length: 100 }, (_, i) => organisations[i % endpoints] as string))
  }
  await report()
  const parley = await startParley()
  const times: [string, number][] = []
  while (times.length < count) {
    await sleep(200)
    times.push(...(await report()))
  }
  await parley.stop()
  if (new Set(times.map(([id]) => id)).size !== count) throw new Error('an event was sent twice or not at all')
  return rateOf(times)
}

async function drainPeer(name: string, args: string[]): Promise<number> {
  await report()
  await measure(await program(name), args)
  const times = await report()
  if (times.length !== count) throw new Error(`${name} sent ${times.length} of ${count}`)
  return rateOf(times)
}

type Latency = { p50: number; p95: number; p99: number }
async function measureLatency(withHanging: boolean): Promise<Latency> {
  const healthy = await makeOrganisations(url)
  const hanging = withHanging ? await makeOrganisations(`https://localhost:${receiverPort}/hang`) : []
  const parley = await startParley()
  const committedAt = new Map<string, number>()
  const committing: Promise<void>[] = []
  await report()
  const began = performance.now()
  for (let i = 0; i < perSecond * (warmUpSeconds + latencySeconds); i += 1) {
    await sleep(Math.max(0, began + (i * 1_000) / perSecond - performance.now()))
    const to = [healthy[i % endpoints] as string]
    committing.push(
      record(to).then(([id]) => {
        if (i >= perSecond * warmUpSeconds) committedAt.set(id as string, performance.timeOrigin + performance.now())
      }),
    )
    if (withHanging) committing.push(record([hanging[i % endpoints] as string]).then(() => {}))
  }
  await Promise.all(committing)
  const times: [string, number][] = []
  const counted = () => times.filter(([id]) => committedAt.has(id))
  for (let waited = 0; counted().length < committedAt.size && waited < 20_000; waited += 200) {
    await sleep(200)
    times.push(...(await report()))
  }
  await parley.stop()
  // What is left for the hanging ones must not burden the next measurement.
  await db.query('delete from webhook_queue')
  await db.query(`update webhook_deliveries set status = 'dropped' where status = 'pending'`)
  const delays = counted()
    .map(([id, at]) => Math.max(0, at - (committedAt.get(id) as number)))
    .sort((a, b) => a - b)
  if (delays.length < committedAt.size) throw new Error(`${committedAt.size - delays.length} events did not arrive`)
  const quantile = (q: number) => delays[Math.floor((delays.length - 1) * q)] ?? 0
  return { p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99) }
}

const redisPort = existsSync('/usr/bin/redis-server') ? await freePort() : null
const redis =
  redisPort === null
    ? null
    : spawn('/usr/bin/redis-server', [
        '--port',
        String(redisPort),
        '--bind',
        '127.0.0.1',
        '--save',
        '',
        '--dir',
        folder,
      ])

try {
  say(
    `${count} deliveries to ${endpoints} endpoints, ${rounds} interleaved rounds, ${os.cpus().length} cores shared by all; TLS, fsync on.`,
  )
  const drained: Record<'loop' | 'parley' | 'pgboss' | 'bullmq', number>[] = []
  for (let round = 1; round <= rounds && count > 0; round += 1) {
    const args = [url, caFile, String(count), String(concurrency)]
    const row = {
      loop: await drainPeer('post-loop', args),
      parley: await drainParley(),
      pgboss: await drainPeer('peer-pgboss', [embedded.url, ...args]),
      bullmq: redisPort === null ? Number.NaN : await drainPeer('peer-bullmq', [String(redisPort), ...args]),
    }
    drained.push(row)
    say(
      `  round ${round}: POST loop ${row.loop.toFixed(0)}/s, Parley ${row.parley.toFixed(0)}/s, pg-boss ${row.pgboss.toFixed(0)}/s, BullMQ ${row.bullmq.toFixed(0)}/s`,
    )
  }
  const of = (pick: (row: (typeof drained)[number]) => number) => median(drained.map(pick))
  say('')
  say(
    `plain keep-alive POST loop   ${of((row) => row.loop).toFixed(0)} deliveries/s (${concurrency} connections, nothing stored)`,
  )
  say(`Parley                       ${of((row) => row.parley).toFixed(0)} deliveries/s (every attempt recorded)`)
  say(`pg-boss 10                   ${of((row) => row.pgboss).toFixed(0)} deliveries/s (4 workers, 100 a batch)`)
  say(
    `BullMQ 6                     ${redis ? `${of((row) => row.bullmq).toFixed(0)} deliveries/s` : 'not measured: no redis-server here'}`,
  )
  say(`Parley / POST loop           ${of((row) => row.parley / row.loop).toFixed(2)}`)
  say(`Parley / pg-boss             ${of((row) => row.parley / row.pgboss).toFixed(2)}   (wanted: above 1)`)
  if (redis) say(`Parley / BullMQ              ${of((row) => row.parley / row.bullmq).toFixed(2)}   (wanted: above 1)`)
  say('')
  say(`Commit to receipt at ${perSecond} events/s for ${latencySeconds} s, after ${warmUpSeconds} s to warm up:`)
  const calm: Latency[] = []
  const troubled: Latency[] = []
  const line = (what: string, { p50, p95, p99 }: Latency) =>
    say(`  ${what} p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`)
  for (let round = 1; round <= rounds; round += 1) {
    calm.push(await measureLatency(false))
    line(`round ${round}, all healthy:       `, calm.at(-1) as Latency)
    troubled.push(await measureLatency(true))
    line(`round ${round}, half of them hang: `, troubled.at(-1) as Latency)
  }
  const p95 = (rows: Latency[]) => median(rows.map((row) => row.p95))
  say(`p95, all healthy             ${p95(calm).toFixed(1)} ms   (wanted: under 100)`)
  say(
    `p95, half of them hang       ${p95(troubled).toFixed(1)} ms, ${(p95(troubled) / p95(calm)).toFixed(2)} of that   (wanted: at most 1.10)`,
  )
} finally {
  redis?.kill()
  await receiver.stop()
  await db.close()
  await embedded.stop()
  rmSync(folder, { recursive: true, force: true })
}
