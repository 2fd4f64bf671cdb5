import { expect, it } from 'vitest'
import { readAhead } from './llm-read-ahead.ts'

const { signal } = new AbortController()

it('reads to the end while the listener is busy with the first', async () => {
  let readAll = () => {}
  const allRead = new Promise<void>((resolve) => {
    readAll = resolve
  })
  async function* source() {
    yield 1
    yield 2
    readAll()
  }
  const seen: number[] = []
  for await (const each of readAhead(source(), signal, () => {})) {
    await allRead
    seen.push(each)
  }
  expect(seen).toEqual([1, 2])
})

it('hands over everything that came before a failure', async () => {
  async function* source() {
    yield 1
    yield 2
    throw new Error('cut')
  }
  const seen: number[] = []
  const listen = async () => {
    for await (const each of readAhead(source(), signal, () => {})) seen.push(each)
  }
  await expect(listen()).rejects.toThrow('cut')
  expect(seen).toEqual([1, 2])
})
