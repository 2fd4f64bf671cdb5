import * as agents from '@parley/contract/agents'
import * as slots from '@parley/contract/appointment-slots'
import * as appointments from '@parley/contract/appointments'
import * as branches from '@parley/contract/branch-settings'
import * as calls from '@parley/contract/calls'
import * as common from '@parley/contract/common'
import * as doNotCall from '@parley/contract/do-not-call'
import * as hooks from '@parley/contract/hooks'
import * as organisation from '@parley/contract/organisation'
import * as slotDates from '@parley/contract/slot-dates'
import * as team from '@parley/contract/team'
import * as trunks from '@parley/contract/trunks'
import { expect, it } from 'vitest'
import { ApplyFile } from '../../src/cli/apply-file.ts'
import { faultWords } from '../../src/platform/fault-words.ts'
import { createTestApp } from '../app.ts'

const t = await createTestApp()
const org = await t.organisation()
type Detail = { field: string; code: string; message: string }
const refused = async (method: 'GET' | 'POST', url: string, body?: unknown, headers?: object): Promise<Detail[]> => {
  const response = await t.send(org.key, method, url, body, headers)
  expect(response.statusCode).toBe(400)
  return response.json().error.details
}
const create = (body: object) =>
  refused('POST', '/v1/calls', { agent_id: org.agentId, user_number: '+15005550001', ...body })

it.each([
  ['with its content type', { 'content-type': 'application/json' }],
  ['without', {}],
])('an empty body is called empty, and every required field is named: %s', async (_name, headers) => {
  expect(await refused('POST', '/v1/calls', undefined, headers)).toEqual([
    { field: 'body', code: 'type', message: 'The body is empty: send a JSON object.' },
    { field: 'agent_id', code: 'required', message: 'This field is required.' },
    { field: 'user_number', code: 'required', message: 'This field is required.' },
  ])
  const window = await refused('POST', '/v1/appointment-slots', undefined, headers)
  expect(window.map(({ field }) => field)).toEqual(['body', 'branch_id', 'day', 'session', 'ai_slots'])
})

it('a parameter given twice is told so', async () => {
  expect(await refused('GET', '/v1/calls?limit=1&limit=2')).toEqual([
    { field: 'limit', code: 'type', message: 'This was given more than once: give it once.' },
  ])
  expect(await refused('GET', '/v1/calls?order=asc&order=desc')).toMatchObject([{ field: 'order', code: 'type' }])
})

it.each([
  ['limit=0', 'limit', 'out_of_range', 'This must be 1 or more.'],
  ['limit=101', 'limit', 'out_of_range', 'This must be 100 or less.'],
  ['limit=05', 'limit', 'type', 'This must be a whole number, written in digits: 20.'],
])('?%s', async (query, field, code, message) => {
  expect(await refused('GET', `/v1/calls?${query}`)).toEqual([{ field, code, message }])
})

it.each([
  [{ user_name: 5 }, 'user_name', 'type', 'This must be a string.'],
  [{ user_email: 'x' }, 'user_email', 'format', 'Write an e-mail address.'],
  [{ agent_id: '' }, 'agent_id', 'too_short', 'This must not be empty.'],
  [{ user_name: 'x'.repeat(201) }, 'user_name', 'too_long', 'At most 200 characters.'],
  [{ user_preferred_language: '!!' }, 'user_preferred_language', 'format', 'Write a language tag such as en or en-IN.'],
  [
    { additional_info: Object.fromEntries(Array.from({ length: 26 }, (_, i) => [`k${i}`, i])) },
    'additional_info',
    'too_many',
    'At most 25 pairs.',
  ],
  [
    { scheduled_time: '2027-02-30T10:00:00Z' },
    'scheduled_time',
    'format',
    'There is no such day in the calendar: check the date.',
  ],
])('%#: says what would be right', async (body, field, code, message) => {
  expect(await create(body)).toEqual([{ field, code, message }])
})

it('dates and times are asked for as they are written, without a regular expression', async () => {
  const day = await refused('GET', '/v1/appointment-slots/availability?branch_id=x&start_date=tomorrow')
  expect(day.find(({ field }) => field === 'start_date')?.message).toBe('Write a date as YYYY-MM-DD.')
  const body = { branch_id: 'x', day: 'monday', session: 'Morning', ai_slots: 1, start_time: '9', end_time: '25:00' }
  const window = await refused('POST', '/v1/appointment-slots', body)
  for (const name of ['start_time', 'end_time'])
    expect(window.find(({ field }) => field === name)?.message).toBe('Write a time as HH:MM, 00:00 to 23:59.')
})

function patternsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found
  for (const [key, inside] of Object.entries(value)) {
    if (key === 'pattern' && typeof inside === 'string') found.add(inside)
    patternsIn(inside, found)
  }
  return found
}

it('says of every pattern of the contract what would be right, and shows none', () => {
  const contract = [agents, slots, appointments, branches, calls, common, doNotCall, hooks, organisation]
  const patterns = [...patternsIn([...contract, slotDates, team, trunks, ApplyFile].map((each) => ({ ...each })))]
  expect(patterns.length).toBeGreaterThan(8)
  for (const pattern of patterns) {
    const words = faultWords({ keyword: 'pattern', params: { pattern } })
    expect(words, pattern).not.toBe('This is not valid.')
    expect(words).not.toContain(pattern)
  }
})
