import { expect, it } from 'vitest'
import { readFile } from './check.ts'

it('a file is its headings and its rows', () => {
  const file = readFile('\uFEFFphone;name\r\n+15005550001;Maya\r\n')
  expect(file).toMatchObject({ headings: ['phone', 'name'], records: [{ line: 2, cells: ['+15005550001', 'Maya'] }] })
})

it.each([
  ['', 'There is nothing in it.'],
  ['phone\n', 'There is only one row.'],
  ['phone\n"', 'never closes'],
  [`phone\n${'+15005550001\n'.repeat(5001)}`, 'There are 5,001 rows.'],
])('%#', (text, fault) => expect(readFile(text)).toEqual({ fault: expect.stringContaining(fault) }))
