import { getEventListeners } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { clearAway } from '../../test/clear-away.ts'
import { withinTime } from './within-time.ts'

const never = new AbortController().signal
const endless = () => new Promise<never>(() => {})

it('gives the result of work that is done in time, and leaves no listener and no timer behind', async () => {
  const stop = new AbortController()
  expect(await withinTime(60_000, stop.signal, async () => 7)).toBe(7)
  await expect(withinTime(60_000, stop.signal, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(getEventListeners(stop.signal, 'abort')).toEqual([])
})

it('is over when the time is up, also for work that hears nothing, and after memory was cleared', async () => {
  let seen: AbortSignal | undefined
  const limited = withinTime(150, never, (signal) => {
    seen = signal
    return endless()
  })
  limited.catch(() => {})
  await sleep(20)
  clearAway()
  await expect(limited).rejects.toMatchObject({ name: 'TimeoutError' })
  expect(seen?.aborted).toBe(true)
})

it('is over when it is told to stop, before it began and meanwhile', async () => {
  const stop = new AbortController()
  const working = withinTime(60_000, stop.signal, endless)
  stop.abort(new Error('enough'))
  await expect(working).rejects.toThrow('enough')
  await expect(withinTime(60_000, stop.signal, endless)).rejects.toThrow('enough')
})

it('is what the sources use: no timeout that only a combined signal would hold', () => {
  const folder = path.resolve(import.meta.dirname, '..')
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!test)\.ts$/.test(name),
  )
  expect(sources.length).toBeGreaterThan(100)
  const combining = sources.filter((name) =>
    /\bany\(\[[^\]]*timeout\(/.test(readFileSync(path.join(folder, name), 'utf8')),
  )
  expect(combining).toEqual([])
})
