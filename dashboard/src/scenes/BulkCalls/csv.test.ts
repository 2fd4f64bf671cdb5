import fc from 'fast-check'
import { expect, it } from 'vitest'
import { csvCell, decodeText, delimiterOf, parseCsv, writeCsv } from './csv.ts'

const cellsOf = (text: string) => {
  const csv = parseCsv(text)
  return 'fault' in csv ? csv.fault : csv.records.map(({ cells }) => cells)
}

it.each([
  [
    'a,b\r\n1,2\r\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    '\uFEFFa;b\n1;"2;3"',
    [
      ['a', 'b'],
      ['1', '2;3'],
    ],
  ],
  [
    'a\tb\r1\t2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\n"say ""hi""","two\r\nlines"',
    [
      ['a', 'b'],
      ['say "hi"', 'two\r\nlines'],
    ],
  ],
  [
    'a,b\n\n , \n1,',
    [
      ['a', 'b'],
      ['1', ''],
    ],
  ],
  [
    'a,b\n1,2" tall',
    [
      ['a', 'b'],
      ['1', '2" tall'],
    ],
  ],
  [
    'a,b\n"x"y,2',
    [
      ['a', 'b'],
      ['xy', '2'],
    ],
  ],
  ['a', [['a']]],
  ['', []],
  ['a,b\n1,"open', 'A quote that opens in line 2 never closes.'],
])('%j', (text, expected) => expect(cellsOf(text)).toEqual(expected))

it('every record knows its line, also after cells of several lines', () => {
  const csv = parseCsv('h\n"a\nb"\n\nlast')
  expect('records' in csv && csv.records.map(({ line }) => line)).toEqual([1, 2, 5])
})

it('the delimiter is found outside of quotes', () => {
  expect(delimiterOf('"a,b,c";d;e\n1,2,3,4,5')).toBe(';')
  expect(delimiterOf('single')).toBe(',')
})

it('what any table is written as reads back the same, with any delimiter and line end', () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll(/[\r\uFEFF]/g, ''))
  const table = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(table, fc.constantFrom(',', ';', '\t'), fc.constantFrom('\n', '\r\n'), (rows, delimiter, end) => {
      const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
      const text = rows.map((row) => row.map(quoted).join(delimiter)).join(end)
      const kept = rows.filter((row) => row.some((each) => each.trim() !== ''))
      expect(cellsOf(text)).toEqual(kept)
    }),
  )
})

it('never throws and never hangs on any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('"', ',', ';', '\n', '\r', 'a', ' '), maxLength: 40 }), (text) => {
      expect(parseCsv(text)).toBeDefined()
    }),
    { numRuns: 2_000 },
  )
})

it('what is written reads back, apart from the sign that keeps a formula from running', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 8 }), { minLength: 2, maxLength: 4 }), (row) => {
      fc.pre(row.some((each) => each.trim() !== ''))
      const expected = row.map((each) => (/^[=+\-@\t\r]/.test(each) && !/^\+\d{7,15}$/.test(each) ? `'${each}` : each))
      // The heading settles the delimiter.
      expect(cellsOf(writeCsv([['a', 'b', 'c'], row]))).toEqual([['a', 'b', 'c'], expected])
    }),
  )
})

it.each([
  ['=1+1', "'=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['-2', "'-2"],
  ['+cmd', "'+cmd"],
  ['+15005550001', '+15005550001'],
  ['a,b', '"a,b"'],
  [' a', '" a"'],
  ['plain', 'plain'],
])('%j is written %j', (value, written) => expect(csvCell(value)).toBe(written))

it('reads the letters of UTF-8, UTF-16 and old Windows', () => {
  expect(decodeText(new TextEncoder().encode('Zoë'))).toBe('Zoë')
  expect(decodeText(Uint8Array.from([0xff, 0xfe, 0x5a, 0, 0xeb, 0]))).toBe('Zë')
  expect(decodeText(Uint8Array.from([0x5a, 0x6f, 0xeb]))).toBe('Zoë')
})
