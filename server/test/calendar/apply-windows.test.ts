import { expect, it } from 'vitest'
import { readApplyFile } from '../../src/cli/apply-faults.ts'
import type { ApplyFile } from '../../src/cli/apply-file.ts'
import { createTestApp } from '../app.ts'

const t = await createTestApp()
const branches = [{ name: 'Main', timezone: 'Asia/Kolkata' }]
const services = [{ name: 'Check-up', branches: ['Main'] }]

it('makes a window on each day that is named, and on every day when none is', async () => {
  const org = await t.organisation({
    branches,
    services,
    windows: [
      { branch: 'Main', session: 'Morning', ai_slots: 2 },
      {
        branch: 'Main',
        days: ['monday', 'friday'],
        session: 'Evening',
        ai_slots: 1,
        max_slots: 3,
        start_time: '18:00',
        end_time: '19:30',
        service: 'Check-up',
        batch_name: 'Late',
      },
    ],
  })
  expect(org.windows.map((each) => `${each.branch} ${each.day} ${each.session}`)).toEqual([
    ...['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map(
      (day) => `Main ${day} Morning`,
    ),
    'Main monday Evening',
    'Main friday Evening',
  ])
  const { data } = (await t.send(org.key, 'GET', `/v1/appointment-slots/${org.windows.at(-1)?.slot_id}`)).json()
  expect(data).toMatchObject({
    day: 'friday',
    batch: 'Late',
    start_time: '18:00',
    end_time: '19:30',
    max_slots: 3,
    ai_slots: 1,
    appointment_type: org.services[0]?.appointment_type_id,
  })
  const first = (await t.send(org.key, 'GET', `/v1/appointment-slots/${org.windows[0]?.slot_id}`)).json().data
  expect(first).toMatchObject({ max_slots: 2, ai_slots: 2, status: 'OPEN' })
})

it.each<[string, object, string]>([
  ['an unknown branch', { branch: 'Nowhere' }, 'windows.0.branch'],
  ['an unknown service', { service: 'Surgery' }, 'windows.0.service'],
  ['more places for the agent than there are', { ai_slots: 5, max_slots: 3 }, 'windows.0.ai_slots'],
  ['an end before the start', { start_time: '12:00', end_time: '11:00' }, 'windows.0.end_time'],
])('%s is a fault, and nothing is made', async (_what, more, field) => {
  const windows = [{ branch: 'Main', session: 'Morning', ai_slots: 1, ...more }] as ApplyFile['windows']
  const before = await t.db.query('select organisation_id from organisations')
  await expect(t.organisation({ branches, services, ...(windows ? { windows } : {}) })).rejects.toThrow(field)
  expect(await t.db.query('select organisation_id from organisations')).toEqual(before)
})

it('an unknown day or field is named', () => {
  const windows = [{ branch: 'Main', days: ['someday'], session: 'Night', ai_slots: -1, colour: 'red' }]
  const fields = readApplyFile({ organisation: { name: 'X' }, windows }).faults.map((each) => each.field)
  expect(fields.toSorted()).toEqual(['windows.0.ai_slots', 'windows.0.colour', 'windows.0.days.0', 'windows.0.session'])
})
