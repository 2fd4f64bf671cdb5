import { expect, it } from 'vitest'
import { columnFault, targetFrom, targetsOf } from './columns.ts'
import { noteRepeats, toRow } from './rows.ts'

const now = new Date('2026-11-15T09:00:00Z')
const row = (heading: string, cells: string) =>
  toRow({ line: 2, cells: cells.split('|') }, targetsOf(heading.split('|')), { agentId: 'agt_1', now })

it('columns are known by their headings, others are told to the agent', () => {
  expect(targetsOf(['Contact Number', 'contact_name', 'E-Mail', 'order_id', '', 'phone'])).toEqual([
    { kind: 'field', field: 'user_number' },
    { kind: 'field', field: 'user_name' },
    { kind: 'field', field: 'user_email' },
    { kind: 'info', key: 'order_id' },
    { kind: 'skip' },
    { kind: 'info', key: 'phone' },
  ])
})

it('columns that cannot be meant are named', () => {
  expect(columnFault(targetsOf(['name']))).toBe('No column holds phone numbers. Say which one does.')
  const number = targetFrom('user_number', 'x')
  expect(columnFault([number, number])).toBe('Two columns are “Phone number”. Leave one of them out.')
  expect(columnFault([number, { kind: 'info', key: 'a' }, { kind: 'info', key: 'a' }])).toContain('“a”')
  expect(columnFault([number, { kind: 'skip' }])).toBeNull()
})

it('a row becomes the request it means; empty cells are left out', () => {
  expect(
    row('phone|name|language|scheduled_time|order', '+1 500-555-0001| Maya ||2026-11-16T10:00:00+05:30|A-1').body,
  ).toEqual({
    agent_id: 'agt_1',
    user_number: '+15005550001',
    user_name: 'Maya',
    scheduled_time: '2026-11-16T10:00:00+05:30',
    additional_info: { order: 'A-1' },
  })
  expect(row('phone|order', '+15005550001|').body).toEqual({ agent_id: 'agt_1', user_number: '+15005550001' })
})

it.each([
  ['phone', '', 'Number: it is missing.'],
  ['phone', '+1500555', 'Number: too short. 4 more digits.'],
  ['phone|email', '+15005550001|maya', 'E-mail: this is no address.'],
  ['phone|scheduled_time', '+15005550001|2026-11-16 10:00', 'Time: write it like 2027-01-15T10:00:00+05:30.'],
  ['phone|scheduled_time', '+15005550001|2026-11-16T10:00', 'Time: say which zone is meant'],
  ['phone|scheduled_time', '+15005550001|2026-11-15T08:00:00Z', 'Time: it has passed.'],
  ['phone|scheduled_time', '+15005550001|2028-11-15T08:00:00Z', 'Time: at most one year ahead.'],
  ['phone', '+15005550001|extra', 'The row has more cells than the heading.'],
  ['phone|a', `+15005550001|${'x'.repeat(1001)}`, 'a: a heading has'],
])('%s | %s', (heading, cells, fault) => {
  const { faults } = row(heading, cells)
  expect(faults).toHaveLength(1)
  expect(faults[0]).toContain(fault)
})

it('somebody who is there twice is noted, not refused', () => {
  const rows = noteRepeats([row('phone', '+15005550001'), { ...row('phone', '+15005550001'), line: 3 }])
  expect(rows[1]?.notes).toEqual(['The same number as in line 2: it is called twice.'])
  expect(rows[1]?.faults).toEqual([])
})
