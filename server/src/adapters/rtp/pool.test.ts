import { afterAll, describe, expect, it } from 'vitest'
import { bestMatch, listenFor, voiceLike } from '../../../test/rtp/sound.ts'
import type { OpenParameters } from './media-parameters.ts'
import { createMediaPool, type MediaPool } from './pool.ts'

// A machine that runs other tests may stand still for a while: nothing here is about being quick.
const jitter = { leastMs: 200, startMs: 200, mostMs: 400 }
const host = '127.0.0.1'
const pools: MediaPool[] = []
async function pool(from: number, more: { workers?: number; linesPerWorker?: number; to?: number } = {}) {
  const made = await createMediaPool({ host, workers: 1, ports: [from, more.to ?? from + 99], ...more })
  pools.push(made)
  return made
}
afterAll(() => Promise.all(pools.map((each) => each.close())))

const plain: OpenParameters = { remote: null, codec: 'PCMU', telephoneEvent: { send: 101, receive: 101 }, jitter }
const at = (port: number) => ({ address: host, port })

async function connected(a: MediaPool, b: MediaPool, left: OpenParameters = plain, right: OpenParameters = left) {
  const [one, two] = [await a.open(left), await b.open(right)]
  one.update({ remote: at(two.localPort) })
  two.update({ remote: at(one.localPort) })
  return [one, two] as const
}

describe('two media pools on real sockets', () => {
  it.each(['PCMU', 'PCMA'] as const)('what one plays the other hears, both ways at once (%s)', async (codec) => {
    const [one, two] = await connected(await pool(21_000), await pool(21_100), { ...plain, codec })
    const [ours, theirs] = [voiceLike(2, 1), voiceLike(2, 5)]
    one.write(ours)
    two.write(theirs)
    const [atTwo, atOne] = await Promise.all([listenFor(two.frames, 1.9), listenFor(one.frames, 1.9)])
    expect(bestMatch(ours, atTwo.subarray(800, 14_000)).correlation).toBeGreaterThan(0.99)
    expect(bestMatch(theirs, atOne.subarray(800, 14_000)).correlation).toBeGreaterThan(0.99)
    expect((await two.stats())?.received).toMatchObject({ lost: 0, invalid: 0, rejected: 0, foreign: 0 })
  })
})
