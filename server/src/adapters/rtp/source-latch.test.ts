import { describe, expect, it } from 'vitest'
import { type Arrival, createSourceLatch } from './source-latch.ts'

const peer = { address: '192.0.2.1', port: 4_000 }
const behindNat = { address: '198.51.100.9', port: 61_234 }
const stranger = { address: '203.0.113.66', port: 666 }
const from = (source: Arrival['from'], more: Partial<Arrival> = {}): Arrival => ({
  from: source,
  ssrc: 1,
  sequence: 10,
  authentic: false,
  nowMs: 0,
  ...more,
})
const latchedOn = (source: Arrival['from']) => {
  const latch = createSourceLatch()
  latch.signal(peer)
  expect(latch.judge(from(source))).toBe(true)
  return latch
}

describe('where sound comes from and goes to', () => {
  it('goes where the signalling says until something comes, then back where it came from', () => {
    const latch = createSourceLatch()
    latch.signal(peer)
    expect(latch.target()).toEqual(peer)
    latch.judge(from(behindNat))
    expect(latch.target()).toMatchObject(behindNat)
  })

  it('takes nothing before the signalling has said anything', () => {
    expect(createSourceLatch().judge(from(peer))).toBe(false)
  })

  it('a stranger is not heard and gets nothing, also when the line has been quiet for long', () => {
    const latch = latchedOn(peer)
    expect(latch.judge(from(stranger, { ssrc: 9, nowMs: 60_000 }))).toBe(false)
    expect(latch.judge(from(stranger, { nowMs: 100, sequence: 11 }))).toBe(false)
    expect(latch.judge(from(stranger, { nowMs: 60_000, sequence: 9_000 }))).toBe(false)
    expect(latch.target()).toMatchObject(peer)
  })

  it('a stranger who was first gives way to the address of the signalling', () => {
    const latch = latchedOn(stranger)
    expect(latch.judge(from(peer, { ssrc: 2 }))).toBe(true)
    expect(latch.judge(from(stranger))).toBe(false)
    expect(latch.target()).toMatchObject(peer)
  })

  it('the same stream going on from another address has moved', () => {
    const latch = latchedOn(behindNat)
    const moved = { address: '198.51.100.10', port: 7_000 }
    expect(latch.judge(from(moved, { sequence: 30, nowMs: 400 }))).toBe(true)
    expect(latch.target()).toMatchObject(moved)
  })

  it('a new stream from another port of the same host is taken after a second of quiet', () => {
    const latch = latchedOn(behindNat)
    const other = { ...behindNat, port: 5_000 }
    expect(latch.judge(from(other, { ssrc: 2, nowMs: 900 }))).toBe(false)
    expect(latch.judge(from(other, { ssrc: 2, nowMs: 1_100 }))).toBe(true)
  })

  it('who has the key may be anywhere', () => {
    expect(latchedOn(peer).judge(from(stranger, { ssrc: 3, authentic: true }))).toBe(true)
  })

  it('a new address in the signalling lets go of the old source; the same one does not', () => {
    const latch = latchedOn(behindNat)
    latch.signal({ ...peer })
    expect(latch.target()).toMatchObject(behindNat)
    latch.signal(stranger)
    expect(latch.target()).toEqual(stranger)
  })
})
