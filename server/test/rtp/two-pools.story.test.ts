import { randomBytes } from 'node:crypto'
import dgram from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { dtmfTones } from '../../src/adapters/rtp/dtmf-tones.ts'
import { buildRtp } from '../../src/adapters/rtp/packet.ts'
import { startLossyProxy } from './lossy-proxy.ts'
import { at, connected, host, plain, pool, someDigits, someFrames } from './pools.ts'
import { bestMatch, join, listenFor, voiceLike } from './sound.ts'

const [left, right] = [await pool(21_000), await pool(21_100)]

describe('two media pools on real sockets', () => {
  it.each(['PCMU', 'PCMA'] as const)('what one plays the other hears, both ways at once (%s)', async (codec) => {
    const [one, two] = await connected(left, right, { ...plain, codec })
    const [ours, theirs] = [voiceLike(2, 1), voiceLike(2, 5)]
    one.write(ours)
    two.write(theirs)
    const [atTwo, atOne] = await Promise.all([listenFor(two.frames, 1.9), listenFor(one.frames, 1.9)])
    expect(bestMatch(ours, atTwo.subarray(800, 14_000)).correlation).toBeGreaterThan(0.99)
    expect(bestMatch(theirs, atOne.subarray(800, 14_000)).correlation).toBeGreaterThan(0.99)
    expect((await two.stats())?.received).toMatchObject({ lost: 0, invalid: 0, rejected: 0, foreign: 0 })
    await Promise.all([one.close(), two.close()])
  })

  it.each(['AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32'] as const)(
    'the same under SRTP (%s)',
    async (suite) => {
      const [a, b] = [randomBytes(30), randomBytes(30)]
      const mine = { ...plain, crypto: { suite, send: a, receive: b } }
      const [one, two] = await connected(left, right, mine, { ...plain, crypto: { suite, send: b, receive: a } })
      const said = voiceLike(1)
      one.write(said)
      two.sendDigits('42')
      const [heard, digits] = await Promise.all([listenFor(two.frames, 0.9), someDigits(one, 2)])
      expect(bestMatch(said, heard.subarray(800, 6_400)).correlation).toBeGreaterThan(0.99)
      expect(digits).toBe('42')
      // Who has no key is not heard.
      const before = (await two.stats())?.received.rejected ?? 0
      const socket = dgram.createSocket('udp4')
      socket.send(Buffer.concat([Buffer.from([0x80, 0]), randomBytes(170)]), two.localPort, host)
      await vi.waitUntil(async () => ((await two.stats())?.received.rejected ?? 0) > before, { timeout: 10_000 })
      socket.close()
      await Promise.all([one.close(), two.close()])
    },
  )

  it('through losses, doubles and swaps every word still comes at its time, and every key once', async () => {
    const [one, two] = [await left.open(plain), await right.open(plain)]
    const proxy = await startLossyProxy(one.localPort, two.localPort, (index) => ({
      copies: index % 10 === 4 ? 0 : index % 7 === 0 ? 2 : 1,
      behind: index % 5 === 1 ? 2 : 0,
    }))
    one.update({ remote: at(proxy.port) })
    two.update({ remote: at(proxy.port) })
    const said = voiceLike(3)
    one.write(said)
    const heard = await listenFor(two.frames, 2.9)
    one.sendDigits('159#')
    expect(await someDigits(two, 4)).toBe('159#')
    expect(bestMatch(said, heard.subarray(1_600, 22_000)).correlation).toBeGreaterThan(0.9)
    const received = (await two.stats())?.received
    expect(received?.lost).toBeGreaterThan(10)
    expect(received?.duplicates).toBeGreaterThan(10)
    await Promise.all([one.close(), two.close()])
  })

  it('a frame tells what was played, and null when nothing was', async () => {
    const [one, two] = await connected(left, right)
    await someFrames(one, 3)
    const said = voiceLike(1).subarray(0, 800)
    one.write(said)
    const played = (await someFrames(one, 40)).flatMap((frame) => (frame.played ? [frame.played] : []))
    expect(join(played)).toEqual(said)
    await Promise.all([one.close(), two.close()])
  })

  it('a flush stops what is being played at the next frame and tells how much that was', async () => {
    const [one, two] = await connected(left, right)
    one.write(voiceLike(8))
    await vi.waitUntil(() => one.queuedMs() < 7_700, { timeout: 20_000 })
    expect(one.flush()).toBeGreaterThan(1_000)
    expect(one.queuedMs()).toBe(0)
    one.write(new Int16Array(800).fill(500))
    await vi.waitUntil(() => one.queuedMs() === 0, { timeout: 20_000 })
    // Of eight seconds of speech only the beginning was played: how much of it depends on when we came to flush.
    const frames = (await someFrames(one, 100)).map((frame) => frame.played)
    expect(frames).toContain(null)
    expect(one.flush()).toBe(0)
    await Promise.all([one.close(), two.close()])
  })

  it('on hold nothing is sent and silence is heard; resumed, what waited is played', async () => {
    const [one, two] = await connected(left, right)
    two.write(voiceLike(8))
    await listenFor(one.frames, 0.2)
    one.update({ direction: 'inactive' })
    one.write(new Int16Array(1_600).fill(900))
    await sleep(100)
    const sent = (await one.stats())?.sent.packets
    const held = (await someFrames(one, 60)).slice(-5)
    expect(held.every((frame) => frame.played === null && frame.heard.every((sample) => sample === 0))).toBe(true)
    expect((await one.stats())?.sent.packets).toBe(sent)
    expect(one.queuedMs()).toBe(200)
    one.update({ direction: 'sendrecv' })
    await vi.waitUntil(() => one.queuedMs() === 0, { timeout: 20_000 })
    expect((await listenFor(one.frames, 0.2)).length).toBeGreaterThan(0)
    await Promise.all([one.close(), two.close()])
  })

  it('without telephone events keys are tones in the sound', async () => {
    const [one, two] = await connected(left, right, { ...plain, telephoneEvent: null })
    one.sendDigits('5')
    const heard = await listenFor(two.frames, 0.1)
    expect(bestMatch(dtmfTones('5').subarray(0, 800), heard.subarray(100, 600)).correlation).toBeGreaterThan(0.99)
    await Promise.all([one.close(), two.close()])
  })

  it('a stranger is neither heard nor answered', async () => {
    const [one, two] = await connected(left, right)
    await vi.waitUntil(async () => ((await one.stats())?.received.packets ?? 0) > 3, { timeout: 20_000 })
    const socket = dgram.createSocket('udp4').bind(0, host)
    await once(socket, 'listening')
    let answers = 0
    socket.on('message', () => {
      answers += 1
    })
    const loud = buildRtp({ payloadType: 0, marker: true, sequence: 1, timestamp: 1, ssrc: 1 }, 160)
    const shout = setInterval(() => {
      for (const data of [loud, Buffer.alloc(0), Buffer.alloc(1_400, 0x80), randomBytes(60)])
        socket.send(data, one.localPort, host)
    }, 20)
    const frames = await someFrames(one, 30)
    clearInterval(shout)
    expect(frames.every((frame) => frame.heard.every((sample) => Math.abs(sample) < 10))).toBe(true)
    expect(answers).toBe(0)
    expect((await one.stats())?.remote).toEqual(at(two.localPort))
    socket.close()
    await Promise.all([one.close(), two.close()])
  })
})
