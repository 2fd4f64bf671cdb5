import { expect, it } from 'vitest'
import { readLines } from './number-lines.ts'

it('numbers are read as people write them, each once', () => {
  expect(readLines('+1 (500) 555-0001\n\n+91.98765.43210; +15005550001\r\n').good).toEqual([
    '+15005550001',
    '+919876543210',
  ])
})

it('each faulty line is named with its reason, and spoils nothing else', () => {
  const { good, faulty } = readLines('5005550001\n+15005550002\n+1 call me\n+12')
  expect(good).toEqual(['+15005550002'])
  expect(faulty.map(({ line, text }) => [line, text])).toEqual([
    [1, '5005550001'],
    [3, '+1 call me'],
    [4, '+12'],
  ])
  expect(new Set(faulty.map(({ reason }) => reason)).size).toBe(3)
})
