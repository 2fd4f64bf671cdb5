import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MediaSession } from '../src/adapters/rtp/media-line.ts'
import { createMediaPool, type MediaPool, mostLinesPerWorker } from '../src/adapters/rtp/pool.ts'
import type { MediaStats } from '../src/adapters/rtp/session.ts'
import type { TickFigures } from '../src/adapters/rtp/ticker.ts'
import { measureBareUdp } from './bare-udp.ts'
import { startSippEcho, whyNoSipp } from './sipp-echo.ts'

const levels = (process.argv[2] ?? '50,100,200,400').split(',').map(Number)
const seconds = Number(process.argv[3] ?? 10)
const limits = { corePercentPerCall: 0.25, callsWithoutLoss: 200 }
const linesPerEcho = 25
const blocked = { everyMs: 250, forMs: 80 }
const echoPort = 26_000
const echoPortOf = (index: number) => echoPort + 100 * Math.floor(index / linesPerEcho)
const say = (text: string) => void process.stdout.write(`${text}\n`)

const tone = (index: number) =>
  Int16Array.from({ length: 160 }, (_, i) => Math.round(9_000 * Math.sin((2 * Math.PI * (index + 4) * i) / 160)))

type Result = {
  percentPerCall: number
  lost: number
  late: number
  concealedMs: number
  sent: number
  ticks: TickFigures[]
}

/** Every line plays a frame for each it hears, as a conversation in which both talk all the time. */
async function talk(session: MediaSession, index: number): Promise<void> {
  const frame = tone(index % 20)
  session.write(frame)
  session.write(frame)
  for await (const _heard of session.frames) session.write(frame)
}

function blockMainThread(): NodeJS.Timeout {
  return setInterval(() => {
    const until = performance.now() + blocked.forMs
    while (performance.now() < until);
  }, blocked.everyMs)
}

async function openAll(pool: MediaPool, calls: number): Promise<MediaSession[]> {
  const sessions: MediaSession[] = []
  for (let index = 0; index < calls; index += 1) {
    const port = echoPortOf(index)
    const session = await pool.open({
      remote: { address: '127.0.0.1', port },
      rtcp: 'mux',
      codec: index % 2 ? 'PCMU' : 'PCMA',
    })
    void talk(session, index)
    sessions.push(session)
  }
  return sessions
}

const statsOf = async (sessions: MediaSession[]): Promise<MediaStats[]> =>
  (await Promise.all(sessions.map((session) => session.stats()))).filter((each) => each !== null)
const sum = (stats: MediaStats[], of: (each: MediaStats) => number) =>
  stats.reduce((total, each) => total + of(each), 0)

async function measure(calls: number, withBlocking: boolean): Promise<Result> {
  const workers = Math.ceil(calls / mostLinesPerWorker)
  const pool = await createMediaPool({ host: '127.0.0.1', ports: [24_000, 24_999], workers })
  const sessions = await openAll(pool, calls)
  await sleep(5_000)
  const concealedBefore = sum(await statsOf(sessions), (each) => each.playout.concealedMs)
  await pool.load()
  const blocking = withBlocking ? blockMainThread() : undefined
  const cpu = process.cpuUsage()
  const began = performance.now()
  await sleep(1_000 * seconds)
  const used = process.cpuUsage(cpu)
  const passedMs = performance.now() - began
  clearInterval(blocking)
  const ticks = await pool.load()
  const concealedMs = sum(await statsOf(sessions), (each) => each.playout.concealedMs) - concealedBefore
  // What is on its way arrives; then every packet that was sent and did not come back is lost.
  for (const session of sessions) session.update({ direction: 'recvonly' })
  await sleep(700)
  const stats = await statsOf(sessions)
  await pool.close()
  return {
    percentPerCall: ((used.user + used.system) / 1_000 / passedMs / calls) * 100,
    sent: sum(stats, (each) => each.sent.packets),
    lost: sum(stats, (each) => each.sent.packets - each.received.packets),
    late: sum(stats, (each) => each.received.late),
    concealedMs,
    ticks,
  }
}

function print(
  name: string,
  calls: number,
  withBlocking: boolean,
  { percentPerCall, sent, lost, late, concealedMs, ticks }: Result,
): void {
  const worst = (of: (each: TickFigures) => number) => Math.max(...ticks.map(of)).toFixed(1)
  const ratio = (percentPerCall / limits.corePercentPerCall).toFixed(2)
  say(`${name}, ${ticks.length} worker${ticks.length > 1 ? 's' : ''}`)
  // A main thread that spins uses a third of a core by itself: then the figure says nothing about calls.
  if (!withBlocking)
    say(
      `  CPU per call   ${percentPerCall.toFixed(3)} % of a core   (${ratio} of the limit of ${limits.corePercentPerCall} %)`,
    )
  const wanted = calls <= limits.callsWithoutLoss ? '   (wanted: 0)' : ''
  say(`  frames         ${lost} lost of ${sent}, ${late} late, ${(concealedMs / 20).toFixed(0)} concealed${wanted}`)
  say(
    `  tick lateness  p50 ${worst((each) => each.lateness.p50)} ms, p99 ${worst((each) => each.lateness.p99)} ms, max ${worst((each) => each.lateness.max)} ms`,
  )
}

/** What this machine does to a thread that only wants to wake up. */
async function measureIdle(): Promise<TickFigures['lateness']> {
  const pool = await createMediaPool({ host: '127.0.0.1', ports: [24_000, 24_999], workers: 1 })
  await sleep(500)
  await pool.load()
  await sleep(3_000)
  const [figures] = await pool.load()
  await pool.close()
  return figures?.lateness ?? { p50: 0, p99: 0, max: 0 }
}

const reason = whyNoSipp()
if (reason) {
  say(`This is measured against sipp, which is not here: ${reason}.`)
  process.exit(1)
}
const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-bench-'))
const echoes: { stop(): Promise<void> }[] = []
try {
  say(`20 ms G.711 frames both ways against sipp -rtp_echo, one sipp for ${linesPerEcho} calls, ${seconds} s each;`)
  say(
    `${os.cpus().length} cores shared with sipp and all else (load ${os.loadavg()[0]?.toFixed(1)}). CPU is this whole process, main thread included.`,
  )
  for (let index = 0; index < Math.max(...levels) / linesPerEcho; index += 1) {
    echoes.push(await startSippEcho(echoPort + 100 * index, folder))
  }
  const most = Math.min(limits.callsWithoutLoss, Math.max(...levels))
  const bare = await measureBareUdp(most, seconds / 2, echoPortOf)
  say(
    `Node's sockets alone, ${most} calls: ${bare.toFixed(3)} % of a core per call (${(bare / limits.corePercentPerCall).toFixed(2)} of the limit)`,
  )
  const idle = await measureIdle()
  say(
    `a worker with nothing to do: tick lateness p50 ${idle.p50.toFixed(1)} ms, p99 ${idle.p99.toFixed(1)} ms, max ${idle.max.toFixed(1)} ms (the machine's own)`,
  )
  for (const calls of levels) print(`${calls} calls`, calls, false, await measure(calls, false))
  const name = `${most} calls, main thread blocked ${blocked.forMs} ms every ${blocked.everyMs} ms`
  print(name, most, true, await measure(most, true))
} finally {
  for (const echo of echoes) await echo.stop()
  rmSync(folder, { recursive: true, force: true })
}
