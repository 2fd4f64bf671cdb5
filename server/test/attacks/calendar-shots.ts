import fc from 'fast-check'
import { type Clinic, contact, monday } from '../calendar/calendar.ts'
import { hostileKeys, ids, type Operation, oneOf, percent, texts, words } from './shots.ts'

/** Every operation of the calendar in /openapi.json. */
export const calendarOperations = [
  'createSlot',
  'listSlots',
  'getSlot',
  'updateSlot',
  'disableSlot',
  'listSlotAvailability',
  'listSlotTracking',
  'updateSlotTracking',
  'regenerateSlotTracking',
  'createAppointment',
  'listAppointments',
  'getAppointment',
  'updateAppointment',
  'getAppointmentConfiguration',
  'listServices',
  'listBranches',
  'listAppointmentAvailability',
] as const
export type CalendarOperation = (typeof calendarOperations)[number]

const often = (id: string) => fc.oneof({ weight: 4, arbitrary: fc.constant(id) }, ids(id))

/** `required` stands in front of most: without it nothing else would be reached. */
const queries = (required: string, names: string, known: string[]) => {
  const values = fc.oneof(
    texts.map(percent),
    oneOf(
      ...known,
      ...words('2026-11-16 2026-02-30 0000-01-01 9999-12-31 2026-11-16T00:00:00Z monday Morning ai OPEN'),
    ),
    oneOf('', ...words('true false 1 100 101 -1 1.5 1e2 %00 %ff %zz confirmed,cancelled %2B15005550001')),
    fc.tuple(fc.nat(), oneOf(...known, 'x')).map((pair) => Buffer.from(pair.join('.')).toString('base64url')),
  )
  const name = fc.oneof({ weight: 6, arbitrary: oneOf(...words(names)) }, hostileKeys.map(percent))
  const rest = fc.array(fc.tuple(name, values), { maxLength: 3 }).map((all) => all.map((pair) => pair.join('=')))
  const first = fc.oneof({ weight: 6, arbitrary: fc.constant([required]) }, fc.constant([]))
  return fc.tuple(first, rest).map(([a, b]) => [...a, ...b].filter((each) => each !== '').join('&'))
}

export async function calendarShots(clinic: Clinic): Promise<Record<CalendarOperation, Operation>> {
  const { calendar_id: id } = await clinic.window({ max_slots: 60, ai_slots: 30 })
  // Nobody shoots at this one: it stays open.
  const { calendar_id: open } = await clinic.window({ max_slots: 60, ai_slots: 30 })
  const { branchId, serviceId } = clinic
  const slotId = `${open}||${monday}`
  const { appointment_id: appointmentId } = await clinic.booked(slotId)
  const slots = '/v1/appointment-slots'
  const appointments = '/v1/appointments'
  const known = [id, slotId, appointmentId, branchId, serviceId]
  const dates =
    'start_date end_date date session day appointment_type_id booked_by include_full include_closed branch_id'
  const days = (path: string): Operation => ({
    method: 'GET',
    url: queries(`branch_id=${branchId}`, dates, known).map((query) => `${path}?${query}`),
    runs: 250,
  })
  const list = (path: string, names: string): Operation => ({
    method: 'GET',
    url: queries('', `limit cursor cursor ${names}`, known).map((query) => `${path}?${query}`),
    runs: 200,
  })
  const oneSlot = (rest = '') => often(id).map((each) => `${slots}/${each}${rest}`)
  const times = { start_time: '09:00', end_time: '12:00' }
  const window = {
    day: 'monday',
    session: 'Morning',
    ai_slots: 30,
    max_slots: 60,
    ...times,
    batch_name: 'A',
    status: 'OPEN',
  }
  const booking = {
    slot_id: slotId,
    ...contact,
    contact_email: 'a@b.test',
    appointment_type_id: serviceId,
    notes: 'x',
    booked_by: 'api',
  }
  const { slot_id: _slot, booked_by: _by, ...person } = booking
  return {
    createSlot: {
      method: 'POST',
      url: fc.constant(slots),
      body: { branch_id: branchId, appointment_type_id: serviceId, ...window },
      runs: 300,
    },
    listSlots: list(slots, 'branch_id day session status appointment_type_id'),
    getSlot: { method: 'GET', url: oneSlot(), runs: 120 },
    updateSlot: { method: 'PATCH', url: oneSlot(), body: window, runs: 300 },
    disableSlot: { method: 'POST', url: oneSlot('/disable'), body: {}, runs: 120 },
    listSlotAvailability: days(`${slots}/availability`),
    listSlotTracking: days(`${slots}/schedule-tracking`),
    updateSlotTracking: {
      method: 'PATCH',
      url: often(`${id}%7C%7C${monday}`).map((each) => `${slots}/schedule-tracking/${each}`),
      body: { max_slots: 60, ai_slots: 30, status: 'OPEN', ...times, note: 'x' },
      runs: 300,
    },
    regenerateSlotTracking: {
      method: 'POST',
      url: fc.constant(`${slots}/schedule-tracking/regenerate`),
      body: {
        branch_id: branchId,
        start_date: monday,
        end_date: '2026-12-16',
        calendar_id: id,
        keep_overrides: true,
        dry_run: false,
      },
      runs: 250,
    },
    createAppointment: { method: 'POST', url: fc.constant(appointments), body: booking, runs: 400 },
    listAppointments: list(
      appointments,
      'branch_id calendar_id appointment_type_id date start_date end_date status session booked_by contact_number call_id external_id',
    ),
    getAppointment: { method: 'GET', url: often(appointmentId).map((each) => `${appointments}/${each}`), runs: 120 },
    updateAppointment: {
      method: 'PATCH',
      url: often(appointmentId).map((each) => `${appointments}/${each}`),
      body: { status: 'confirmed', slot_id: `${open}||2026-11-23`, ...person },
      runs: 400,
    },
    getAppointmentConfiguration: { method: 'GET', url: fc.constant(`${appointments}/configuration`), runs: 150 },
    listServices: list(`${appointments}/services`, 'branch_id'),
    listBranches: list(`${appointments}/branches`, 'branch_id'),
    listAppointmentAvailability: days(`${appointments}/availability`),
  }
}
