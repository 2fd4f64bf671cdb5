import { expect, it } from 'vitest'
import { lineAt, neighbour, partsOf, transcriptText } from './transcript.ts'

const lines = [0, 4.2, 9].map((timestamp) => ({ speaker: 'agent', text: 'x', timestamp }))

it.each([
  [0, 0],
  [4.1, 0],
  [4.16, 1],
  [100, 2],
])('at %s s line %s is current', (seconds, line) => expect(lineAt(lines, seconds)).toBe(line))

it('before the first line none is', () => expect(lineAt([{ speaker: 'a', text: '', timestamp: 3 }], 1)).toBe(-1))

it('j and k lead to the neighbours and stop at the ends', () => {
  expect(neighbour(lines, 4.5, 1)).toBe(2)
  expect(neighbour(lines, 9, 1)).toBeNull()
  expect(neighbour(lines, 0, -1)).toBeNull()
})

it('searched words are marked wherever they are, capitals or not', () => {
  const marked = (text: string, words: string) =>
    partsOf(text, words).map((part) => (part.isMatch ? `[${part.text}]` : part.text))
  expect(marked('Yes, yes: YES', 'yes').join('')).toBe('[Yes], [yes]: [YES]')
  expect(marked('No', 'yes').join('')).toBe('No')
  expect(marked('a.b', '.').join('')).toBe('a[.]b')
  expect(marked('', 'x').join('')).toBe('')
  expect(marked('İstanbul', 'stan').join('')).toBe('İstanbul')
})

it('copies as text with times and names', () =>
  expect(
    transcriptText(
      lines.slice(0, 1),
      () => 'Asha',
      () => '0:00',
    ),
  ).toBe('[0:00] Asha: x'))
