import fc from 'fast-check'
import { expect, it } from 'vitest'
import { targetsOf } from '../../../dashboard/src/scenes/BulkCalls/columns.ts'
import { toRow } from '../../../dashboard/src/scenes/BulkCalls/rows.ts'
import { createTestApp } from '../app.ts'

const t = await createTestApp({ settings: { PARLEY_RATE_LIMIT_PER_MINUTE: '100000' } })
const org = await t.organisation()

const number = fc.oneof(
  fc.constantFrom('+15005550001', '+91 98765-43210', '+1 (500) 555-0001', '+442071234567', '5005550001', '', '+1100'),
  fc.string({ unit: fc.constantFrom('+', '1', '9', '5', '0', 'a'), maxLength: 14 }),
)
const mostly = <T>(usual: T, ...odd: fc.Arbitrary<T>[]) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, ...odd)
const text = (length: number) =>
  fc.string({ unit: fc.constantFrom('x', 'é', '😀', 'ह'), minLength: length, maxLength: length })
const year = new Date().getUTCFullYear()
const time = fc.constantFrom(
  ...[
    `${year + 1}-01-02T10:00:00Z`,
    `${year + 1}-01-02T10:00+05:30`,
    `${year + 1}-01-02T10:00:00`,
    `${year + 1}-02-30T10:00:00Z`,
  ],
  ...[
    `${year + 2}-06-01T10:00:00Z`,
    '2020-01-01T00:00:00Z',
    'tomorrow',
    `${year + 1}-01-02 10:00`,
    `${year + 1}-01-02T24:00:00Z`,
  ],
)
const cells = fc.tuple(
  mostly('+15005550001', number),
  mostly('Maya', text(200), text(201)),
  mostly('', fc.constantFrom('maya@example.com', 'maya', 'a@b@c', 'a b@c.d', `${'x'.repeat(250)}@x.y`)),
  mostly('', text(35), text(36)),
  mostly('', time),
  mostly('A-1', text(1000), text(1001)),
)
const heading = ['phone', 'name', 'email', 'language', 'scheduled_time']

it('what the preview of a file calls ready the server takes, and what it calls faulty the server refuses', async () => {
  const other = fc.constantFrom('order', 'x'.repeat(64), 'x'.repeat(65))
  const judged = await Promise.all(
    fc.sample(fc.tuple(cells, other), 250).map(async ([values, key]) => {
      const record = { line: 2, cells: values }
      const row = toRow(record, targetsOf([...heading, key]), { agentId: org.agentId, now: new Date() })
      const answer = await t.send(org.key, 'POST', '/v1/calls', row.body)
      return { values, faults: row.faults, isTaken: answer.statusCode === 201, said: answer.body }
    }),
  )
  expect(judged.filter(({ faults, isTaken }) => isTaken !== (faults.length === 0))).toEqual([])
  expect(judged.filter(({ isTaken }) => isTaken).length).toBeGreaterThan(20)
  expect(judged.filter(({ isTaken }) => !isTaken).length).toBeGreaterThan(20)
})

it('so for more than 25 other columns', async () => {
  for (const count of [25, 26]) {
    const names = Array.from({ length: count }, (_, i) => `k${i}`)
    const record = { line: 2, cells: ['+15005550001', ...names] }
    const row = toRow(record, targetsOf(['phone', ...names]), { agentId: org.agentId, now: new Date() })
    const answer = await t.send(org.key, 'POST', '/v1/calls', row.body)
    expect([row.faults.length === 0, answer.statusCode]).toEqual(count === 25 ? [true, 201] : [false, 400])
  }
})
