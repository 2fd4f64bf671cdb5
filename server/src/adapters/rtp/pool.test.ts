import { randomBytes } from 'node:crypto'
import dgram from 'node:dgram'
import { once } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { connected, drained, host, plain, pool, someFrames } from '../../../test/rtp/pools.ts'
import { voiceLike } from '../../../test/rtp/sound.ts'
import type { OpenParameters } from './media-parameters.ts'
import { workerCode } from './worker-code.ts'

const media = pool(21_200)

describe('a media pool', () => {
  it('closing a line ends its frames and digits, says goodbye and gives the ports back', async () => {
    const small = await pool(21_300, { ports: [21_300, 21_303] })
    expect(small.capacity).toBe(2)
    const [one, two] = await connected(small, small)
    const reading = Promise.all([drained(one.frames), drained(one.digits)])
    await expect(small.open(plain)).rejects.toMatchObject({ code: 'no_port' })
    await someFrames(two, 5)
    await Promise.all([one.close(), one.close()])
    await reading
    one.write(voiceLike(1))
    expect([one.queuedMs(), one.flush()]).toEqual([0, 0])
    expect((await one.stats())?.sent.packets).toBeGreaterThan(0)
    await vi.waitUntil(async () => (await two.stats())?.reports.bye, { timeout: 10_000 })
    expect((await small.open(plain)).localPort).toBe(one.localPort)
  })

  it('a port that somebody else has is passed over', async () => {
    const taken = dgram.createSocket('udp4').bind(21_401, host)
    await once(taken, 'listening')
    const session = await (await pool(21_400)).open(plain)
    expect(session.localPort).toBe(21_402)
    taken.close()
  })

  it('more lines than there is room for are refused', async () => {
    const small = await pool(21_500, { linesPerWorker: 1 })
    await small.open(plain)
    await expect(small.open(plain)).rejects.toMatchObject({ code: 'no_capacity' })
  })

  it('lines are spread over the workers, and a dead worker ends its own lines and is replaced', async () => {
    const deaths: number[] = []
    // Our worker with a fault in it: an exception nobody catches, once the key D is pressed.
    const fault = `;require('node:worker_threads').parentPort.on('message', ({ digits }) => { if (digits === 'D') throw new Error('a fault') })`
    const two = await pool(21_600, {
      workers: 2,
      code: (await workerCode()) + fault,
      onWorkerDeath: () => void deaths.push(1),
    })
    const [one, other] = await connected(two, two)
    await someFrames(other, 3)
    expect(await two.load()).toHaveLength(2)
    one.sendDigits('D')
    await Promise.all([drained(one.frames), drained(one.digits), one.close()])
    expect(deaths).toEqual([1])
    expect(await someFrames(other, 5)).toHaveLength(5)
    await vi.waitUntil(async () => (await two.load()).length === 2, { timeout: 10_000 })
    const again = await Promise.all([two.open(plain), two.open(plain)])
    expect(again.every((session) => session.localPort > 0)).toBe(true)
    expect(two.lines()).toBe(3)
  })

  it('closing it ends every line, and it opens no more', async () => {
    const closing = await pool(21_700)
    const session = await closing.open(plain)
    const reading = drained(session.frames)
    await closing.close()
    await reading
    await expect(closing.open(plain)).rejects.toMatchObject({ code: 'closed' })
  })

  it.each([
    ['a name instead of an address', { remote: { address: 'example.com', port: 4_000 } }],
    ['an address of the other family', { remote: { address: '::1', port: 4_000 } }],
    ['a port that is none', { remote: { address: host, port: 0 } }],
    ['a payload type that is taken', { telephoneEvent: { send: 0, receive: 101 } }],
    ['a short key', { crypto: { suite: 'AES_CM_128_HMAC_SHA1_80', send: randomBytes(16), receive: randomBytes(30) } }],
    ['an unknown suite', { crypto: { suite: 'toString' as never, send: randomBytes(30), receive: randomBytes(30) } }],
    ['an unknown codec', { codec: 'G729' as never }],
  ] satisfies [string, Partial<OpenParameters>][])('%s is refused with a clear error', async (_name, wrong) => {
    await expect((await media).open({ ...plain, ...wrong })).rejects.toMatchObject({
      name: 'MediaError',
      code: 'invalid_parameters',
    })
  })

  it('keys that are none are refused', async () => {
    const session = await (await media).open(plain)
    expect(() => session.sendDigits('1x')).toThrow(expect.objectContaining({ code: 'invalid_digits' }))
    await session.close()
  })
})
