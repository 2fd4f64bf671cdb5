import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Storage, StoredObject } from '../../media/ports.ts'

const key = 'recordings/org_x/call_y.wav'
const badKeys = [
  '',
  '/',
  '/etc/passwd',
  'a/../b',
  '..',
  '.',
  'a//b',
  'a/',
  'a\\b',
  './a',
  'a/.hidden',
  'a\0b',
  'C:/a',
  '%2e%2e/a',
  'a b',
]

export async function bytesOf(object: StoredObject | null): Promise<Buffer> {
  if (!object) throw new Error('There is no such object')
  const chunks: Uint8Array[] = []
  for await (const chunk of object.body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** What every storage promises. */
export function describeStorage(name: string, create: () => Promise<Storage>): void {
  describe(`storage: ${name}`, () => {
    let storage: Storage
    beforeAll(async () => {
      storage = await create()
    })

    it('gives back what was put, with size and content type', async () => {
      await storage.put(key, Buffer.from('hello'), 'audio/wav')
      const object = await storage.get(key)
      expect(object).toMatchObject({ size: 5, contentType: 'audio/wav' })
      expect((await bytesOf(object)).toString()).toBe('hello')
      await storage.put('transcripts/call_y.json', Buffer.from('{}'), 'application/json')
      expect(await storage.get('transcripts/call_y.json')).toMatchObject({ contentType: 'application/json' })
    })

    it('replaces what was there', async () => {
      await storage.put(key, Buffer.from('a longer text than the next'), 'audio/wav')
      await storage.put(key, Buffer.from('short'), 'audio/wav')
      expect((await bytesOf(await storage.get(key))).toString()).toBe('short')
    })

    it('keeps an empty object', async () => {
      await storage.put('empty.json', new Uint8Array(), 'application/json')
      const object = await storage.get('empty.json')
      expect(object?.size).toBe(0)
      expect(await bytesOf(object)).toHaveLength(0)
      expect(await bytesOf(await storage.get('empty.json', { start: 0, end: 9 }))).toHaveLength(0)
    })

    it('reads a range, both ends included, and tells the whole size', async () => {
      await storage.put(key, Buffer.from('0123456789'), 'audio/wav')
      const read = async (start: number, end: number) => {
        const object = await storage.get(key, { start, end })
        expect(object?.size).toBe(10)
        return (await bytesOf(object)).toString()
      }
      expect(await read(0, 0)).toBe('0')
      expect(await read(2, 4)).toBe('234')
      expect(await read(7, 9)).toBe('789')
      expect(await read(7, Number.MAX_SAFE_INTEGER)).toBe('789')
      expect(await read(10, 20)).toBe('')
    })

    it.each([
      [3, 2],
      [-1, 2],
      [0, 1.5],
      [Number.NaN, 1],
    ])('refuses the range %d-%d', async (start, end) => {
      await storage.put(key, Buffer.from('0123456789'), 'audio/wav')
      await expect(storage.get(key, { start, end })).rejects.toThrow(RangeError)
    })

    it('streams a large object in chunks, byte for byte', async () => {
      const content = randomBytes(5_000_001)
      await storage.put('large.wav', content, 'audio/wav')
      let chunks = 0
      const hash: Uint8Array[] = []
      for await (const chunk of (await storage.get('large.wav'))?.body ?? []) {
        chunks += 1
        hash.push(chunk)
      }
      expect(chunks).toBeGreaterThan(1)
      expect(Buffer.concat(hash).equals(content)).toBe(true)
      const tail = await bytesOf(await storage.get('large.wav', { start: 4_000_000, end: 5_000_000 }))
      expect(tail.equals(content.subarray(4_000_000))).toBe(true)
    })

    it('can be left in the middle of a body, or before it', async () => {
      for (let round = 0; round < 20; round += 1) {
        await storage.get('large.wav')
        for await (const _ of (await storage.get('large.wav'))?.body ?? []) break
      }
      expect((await storage.get('large.wav'))?.size).toBe(5_000_001)
    })

    it('never shows a mixture of two writers', async () => {
      const contents = ['a', 'b', 'c', 'd'].map((letter) => Buffer.alloc(200_000, letter))
      await Promise.all(contents.map((content) => storage.put('race.wav', content, 'audio/wav')))
      const found = await bytesOf(await storage.get('race.wav'))
      expect(contents.some((content) => content.equals(found))).toBe(true)
    })

    it('has nothing where nothing was put', async () => {
      expect(await storage.get('recordings/org_x/never.wav')).toBeNull()
      expect(await storage.get('recordings/org_x/never.wav', { start: 0, end: 1 })).toBeNull()
      expect(await storage.get('recordings/org_x')).toBeNull()
    })

    it('removes, as often as it is told', async () => {
      await storage.put(key, Buffer.from('gone soon'), 'audio/wav')
      await storage.remove(key)
      await storage.remove(key)
      expect(await storage.get(key)).toBeNull()
      await storage.put(key, Buffer.from('again'), 'audio/wav')
      expect((await bytesOf(await storage.get(key))).toString()).toBe('again')
    })

    it.each(badKeys)('refuses the key %j', async (bad) => {
      await expect(storage.put(bad, Buffer.from('x'), 'audio/wav')).rejects.toThrow('not a storage key')
      await expect(storage.get(bad)).rejects.toThrow('not a storage key')
      await expect(storage.remove(bad)).rejects.toThrow('not a storage key')
    })
  })
}
