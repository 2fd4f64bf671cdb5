import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { bookAppointment } from '../src/appointments/book-appointment.ts'
import { applyFile } from '../src/cli/apply.ts'
import { openDatabase } from '../src/platform/db.ts'
import { startEmbeddedPostgres } from '../src/platform/embedded/postgres.ts'
import { migrate, readMigrations } from '../src/platform/migrate.ts'
import { createVault } from '../src/platform/secrets.ts'
import { listAvailability } from '../src/slots/availability.ts'
import { slotsOnDatesJson } from '../src/slots/slots-json.ts'
import { createWindow } from '../src/slots/windows.service.ts'
import { median, rootFolder } from './processes.ts'

const rounds = Number(process.argv[2] ?? 5)
const seconds = 3
const connections = 20
const windowsAtBranch = 200
const appointments = 20_000
const queries = 60
const say = (text: string) => void process.stdout.write(`${text}\n`)

const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-bench-'))
// Run by root, the database belongs to another user, who must be able to enter.
chmodSync(folder, 0o755)
const embedded = await startEmbeddedPostgres({ dataDir: folder })
const db = openDatabase({ url: embedded.url, applicationName: 'bench', poolSize: connections })
await migrate(db, readMigrations(path.join(rootFolder, 'server/migrations')))

// A Saturday. The clock stands still, so that every run asks for the same days.
const clock = { now: () => new Date('2026-11-14T12:00:00Z') }
const deps = { db, clock }
const monday = '2026-11-16'
const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const sessions = ['Morning', 'Afternoon', 'Evening'] as const

async function clinic(): Promise<{ organisationId: string; branchId: string }> {
  const made = await applyFile(
    { db, vault: createVault('a secret for this benchmark') },
    {
      organisation: { name: 'Bench' },
      branches: [{ name: 'Main', timezone: 'America/New_York' }],
      services: [{ name: 'Check-up' }],
    },
    {
      baseUrl: 'http://127.0.0.1:1',
      dashboardUrl: 'http://127.0.0.1:1',
      webhooks: { retryDelaysMs: [], timeoutMs: 8_000, allowPrivate: true, caFile: undefined },
    },
  )
  return { organisationId: made.organisation.organisation_id, branchId: made.branches[0]?.branch_id ?? '' }
}

/** As many as there are connections, each starting the next when its last has ended; how many per second. */
async function rateOf(work: () => Promise<unknown>): Promise<number> {
  const endsAt = performance.now() + seconds * 1_000
  let done = 0
  const one = async () => {
    while (performance.now() < endsAt) {
      await work()
      done += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, one))
  return done / seconds
}

async function measureBooking(): Promise<void> {
  const { organisationId, branchId } = await clinic()
  const hot = (tx: Parameters<typeof createWindow>[0]) =>
    createWindow(tx, organisationId, {
      branch_id: branchId,
      day: 'monday',
      session: 'Morning',
      ai_slots: 100_000,
      max_slots: 100_000,
    })
  const [window, bare] = [await db.transaction(hot), await db.transaction(hot)]
  await db.query(
    `insert into day_slots (calendar_id, date, branch_id, max_slots, ai_slots) values ($1, $2::date, $3, 100000, 100000)`,
    [bare.calendar_id, monday, branchId],
  )
  const limit = () =>
    db.query(
      `update day_slots set filled = filled + 1 where calendar_id = $1 and date = $2::date and filled < max_slots
       returning filled`,
      [bare.calendar_id, monday],
    )
  const wanted = { slotId: `${window.calendar_id}||${monday}`, contactName: 'Maya', contactNumber: '+15005550001' }
  const book = () => bookAppointment(deps, organisationId, wanted)
  say(
    `One hot window, ${connections} at once, ${rounds} interleaved rounds of ${seconds} s, ${os.cpus().length} cores shared by all; fsync on.`,
  )
  const results: { limit: number; booked: number }[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const row = { limit: await rateOf(limit), booked: await rateOf(book) }
    results.push(row)
    say(`  round ${round}: guarded UPDATE ${row.limit.toFixed(0)}/s, bookings ${row.booked.toFixed(0)}/s`)
  }
  const [counted] = await db.query<{ filled: number; real: number }>(
    `select filled, (select count(*)::int from appointments where calendar_id = $1) as real from day_slots where calendar_id = $1`,
    [window.calendar_id],
  )
  if (counted?.filled !== counted?.real) throw new Error('the counter is not what was booked')
  const of = (pick: (row: (typeof results)[number]) => number) => median(results.map(pick))
  say('')
  say(`the database's guarded UPDATE  ${of((row) => row.limit).toFixed(0)}/s (one row, nothing else)`)
  say(
    `bookings                       ${of((row) => row.booked).toFixed(0)}/s (rules, appointment, event, counter; one commit each)`,
  )
  say(`bookings / UPDATE              ${of((row) => row.booked / row.limit).toFixed(2)}`)
  say('')
}

/** Straight into the tables, spread over the windows and over the days before or after the clock's. */
async function fill(organisationId: string, branchId: string, firstDay: number): Promise<void> {
  await db.query(
    `with days as (
       select w.calendar_id, d::date as date, row_number() over (order by w.calendar_id, d) as n, count(*) over () as total
       from windows w, generate_series('2026-11-14'::date + $2::int, '2026-11-14'::date + $2::int + 30, '1 day') d
       where w.branch_id = $1 and trim(to_char(d, 'day')) = w.day
     ), made as (
       insert into appointments (appointment_id, organisation_id, calendar_id, branch_id, date, status, start_time, end_time,
         starts_at, ends_at, timezone, session, contact_name, contact_number, booked_by)
       select gen_random_uuid(), $3, days.calendar_id, $1, days.date, 'confirmed', '09:00', '12:00',
         days.date + time '09:00', days.date + time '12:00', 'America/New_York', 'Morning', 'Maya', '+15005550001', 'api'
       from generate_series(0, $4::int - 1) i join days on days.n = i % days.total + 1
       returning calendar_id, date
     )
     insert into day_slots (calendar_id, date, branch_id, max_slots, ai_slots, filled)
     select calendar_id, date, $1, 100, 50, count(*) from made group by calendar_id, date`,
    [branchId, firstDay, organisationId, appointments],
  )
  await db.query('analyze')
}

async function measureAvailability(): Promise<void> {
  const { organisationId, branchId } = await clinic()
  for (let i = 0; i < windowsAtBranch; i += 1) {
    const day = days[i % days.length] as (typeof days)[number]
    const session = sessions[i % sessions.length] as (typeof sessions)[number]
    await db.transaction((tx) =>
      createWindow(tx, organisationId, { branch_id: branchId, day, session, ai_slots: 50, max_slots: 100 }),
    )
  }
  const query = { branch_id: branchId, start_date: '2026-11-14', end_date: '2026-12-14', include_full: true }
  const ask = async () => {
    const found = await listAvailability(deps, organisationId, query)
    return { items: found.length, bytes: Buffer.byteLength(slotsOnDatesJson(found)) }
  }
  const measure = async (what: string): Promise<number> => {
    const { items, bytes } = await ask()
    for (let i = 0; i < 20; i += 1) await ask()
    const times: number[] = []
    const cpu = process.cpuUsage()
    for (let i = 0; i < queries; i += 1) {
      const began = performance.now()
      await ask()
      times.push(performance.now() - began)
    }
    const { user, system } = process.cpuUsage(cpu)
    const own = ((user + system) / queries / 1_000).toFixed(1)
    say(
      `  ${what} ${median(times).toFixed(1)} ms at the median (${items} items, ${(bytes / 1_000).toFixed(0)} kB; ${own} ms of CPU here)`,
    )
    return median(times)
  }
  say(
    `Availability of 31 days, ${windowsAtBranch} windows, ${queries} queries one after the other, answer written as JSON:`,
  )
  await measure('nobody booked            ')
  await fill(organisationId, branchId, 0)
  const present = await measure(`${appointments} booked in these days `)
  await fill(organisationId, branchId, -200)
  const past = await measure(`and ${appointments} more in the past`)
  say('')
  say(`availability                   ${past.toFixed(1)} ms   (wanted: under 20)`)
  say(`with past / without past       ${(past / present).toFixed(2)}   (wanted: about 1)`)
}

try {
  if (rounds > 0) await measureBooking()
  await measureAvailability()
} finally {
  await db.close()
  await embedded.stop()
  rmSync(folder, { recursive: true, force: true })
}
