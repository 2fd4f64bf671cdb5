import { expect, it } from 'vitest'
import { resultCsv, rowKey, templateCsv } from './result-csv.ts'
import type { CallRow } from './rows.ts'

const row = (line: number, name = 'Maya', faults: string[] = []): CallRow => ({
  line,
  number: '+15005550001',
  name,
  body: { agent_id: 'agt_1', user_number: '+15005550001' },
  faults,
  notes: [],
})

it('tells what became of every row, in order, and runs no formula', () => {
  const rows = [row(2), row(3, '=HYPERLINK("x")'), row(4, 'Bo', ['Number: it is missing.']), row(5)]
  const placed = { kind: 'placed', callId: 'call_1', replayed: true } as const
  const text = resultCsv(rows, [
    { row: row(3), outcome: { kind: 'refused', message: '@no', requestId: undefined } },
    { row: row(2), outcome: placed },
  ])
  expect(text.split('\r\n')).toEqual([
    '\uFEFFrow,contact_number,contact_name,status,call_id,error',
    '2,+15005550001,Maya,placed before,call_1,',
    '3,+15005550001,"\'=HYPERLINK(""x"")",refused,,\'@no',
    '4,+15005550001,Bo,faulty,,Number: it is missing.',
    '5,+15005550001,Maya,not sent,,',
    '',
  ])
})

it('the key of a row stands for file, row and what is asked', () => {
  const key = rowKey('f', row(2))
  expect(key).toBe(rowKey('f', row(2)))
  expect(key).toMatch(/^[\x21-\x7e]{1,255}$/)
  expect([rowKey('g', row(2)), rowKey('f', row(3))]).not.toContain(key)
  expect(rowKey('f', { ...row(2), body: { agent_id: 'agt_2', user_number: '+15005550001' } })).not.toBe(key)
})

it('the template is a file that could be sent', () => expect(templateCsv()).toContain('+15005550001,Maya Rao'))
