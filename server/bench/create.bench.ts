import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '../src/platform/embedded/postgres.ts'
import { distFolder, freePort, measure, median, program, startProgram } from './processes.ts'

const rounds = Number(process.argv[2] ?? 5)
const seconds = '4'
const connections = '50'
type Load = { answered: number; statuses: Record<string, number>; p50: number; p99: number }

const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-bench-'))
// Run by root, the database belongs to another user, who must be able to enter.
chmodSync(folder, 0o755)
const say = (text: string) => void process.stdout.write(`${text}\n`)
const perSecond = (load: { answered: number }) => load.answered / Number(seconds)

const parleyPort = await freePort()
const parley = await startProgram(
  path.join(distFolder, 'parley.mjs'),
  ['start'],
  {
    PORT: String(parleyPort),
    PARLEY_DATA_DIR: folder,
    PARLEY_RATE_LIMIT_PER_MINUTE: '100000000',
    PARLEY_CALL_DELAY: '24h',
  },
  'Press Ctrl-C',
  path.join(folder, 'parley.log'),
)
const barePort = await freePort()
const bare = await startProgram(
  await program('bare'),
  [String(barePort)],
  {},
  'listening',
  path.join(folder, 'bare.log'),
)
// The database Parley runs on: attached to, not started.
const { url } = await startEmbeddedPostgres({ dataDir: folder })

const key = /pk_\w+/.exec(parley.output)?.[0] ?? ''
const agentId = /agt_\w+/.exec(parley.output)?.[0] ?? ''
const body = JSON.stringify({
  agent_id: agentId,
  user_number: '+15005550001',
  user_name: 'Maya',
  additional_info: { order: 42 },
})
const load = await program('load')
const insert = await program('insert')
const headers = JSON.stringify({ 'x-api-key': key })
const drive = (port: number) => measure<Load>(load, [String(port), seconds, connections, '/v1/calls', headers, body])

const results: { bare: number; parley: number; insert: number; p50: number; p99: number }[] = []
try {
  say(
    `POST /v1/calls, ${connections} connections, ${rounds} interleaved rounds of ${seconds} s, ${os.cpus().length} cores shared by all.`,
  )
  say('Every request: key check, rate limit, validation, an Idempotency-Key of its own, durable commit (fsync on).')
  // Both as they are in the middle of a day: warm.
  await drive(barePort)
  await drive(parleyPort)
  for (let round = 0; round < rounds; round += 1) {
    const bareLoad = await drive(barePort)
    const parleyLoad = await drive(parleyPort)
    const inserts = await measure<{ answered: number }>(insert, [url, seconds, '20'])
    const refused = Object.entries(parleyLoad.statuses).filter(([status]) => status !== '201')
    if (refused.length > 0) throw new Error(`Not every answer was 201: ${JSON.stringify(refused)}`)
    const row = {
      bare: perSecond(bareLoad),
      parley: perSecond(parleyLoad),
      insert: perSecond(inserts),
      p50: parleyLoad.p50,
      p99: parleyLoad.p99,
    }
    results.push(row)
    say(
      `  round ${round + 1}: node:http ${row.bare.toFixed(0)}/s, Parley ${row.parley.toFixed(0)}/s, INSERT ${row.insert.toFixed(0)}/s`,
    )
  }
  const of = (pick: (row: (typeof results)[number]) => number) => median(results.map(pick))
  say('')
  say(`bare node:http               ${of((row) => row.bare).toFixed(0)} requests/s`)
  say(
    `Parley POST /v1/calls        ${of((row) => row.parley).toFixed(0)} requests/s, p50 ${of((row) => row.p50).toFixed(1)} ms, p99 ${of((row) => row.p99).toFixed(1)} ms`,
  )
  say(
    `the database's own INSERT    ${of((row) => row.insert).toFixed(0)} rows/s (prepared, one row each, 20 connections)`,
  )
  say(
    `Parley / node:http           ${of((row) => row.parley / row.bare).toFixed(2)}   (median of the rounds' ratios; wanted: at least 0.40)`,
  )
  say(`Parley / INSERT              ${of((row) => row.parley / row.insert).toFixed(2)}`)
} finally {
  await bare.stop()
  await parley.stop()
  rmSync(folder, { recursive: true, force: true })
}
