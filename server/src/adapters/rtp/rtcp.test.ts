import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createReception } from './reception.ts'
import { createReports } from './reports.ts'
import { buildRtcp, middleOf, ntpTime, parseRtcp } from './rtcp.ts'

const block = {
  ssrc: 7,
  fractionLost: 64,
  cumulativeLost: -3,
  highestSequence: 0x1_0005,
  jitter: 12,
  lastReport: 99,
  sinceLastReport: 65_536,
}
const sender = { ntp: ntpTime(1_700_000_000_500), timestamp: 160, packets: 2, octets: 320 }
const epoch = 1_700_000_000_000

describe('RTCP', () => {
  it('what was built is read: report, block and goodbye', () => {
    expect(parseRtcp(buildRtcp({ ssrc: 5, cname: 'abc', sender, block, bye: true }))).toEqual([
      { type: 'sender_report', ssrc: 5, sender, blocks: [block] },
      { type: 'bye', ssrcs: [5] },
    ])
    expect(parseRtcp(buildRtcp({ ssrc: 5, cname: 'abc', sender: null, block: null }))).toEqual([
      { type: 'receiver_report', ssrc: 5, blocks: [] },
    ])
  })

  it.each(['', 'a', 'ab', 'abc', 'abcd', 'x'.repeat(300)])(
    'a compound packet is whole words, whatever the name (%s)',
    (cname) => {
      const data = buildRtcp({ ssrc: 5, cname, sender, block: null, bye: true })
      expect(data.length % 4).toBe(0)
      expect(parseRtcp(data).at(-1)).toEqual({ type: 'bye', ssrcs: [5] })
    },
  )

  it('the NTP time is counted from 1900', () => {
    expect(ntpTime(0)).toEqual({ seconds: 2_208_988_800, fraction: 0 })
    expect(middleOf({ seconds: 0x1234_5678, fraction: 0x9abc_def0 })).toBe(0x5678_9abc)
  })

  it('whatever arrives is read or passed over', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(200, 201, 202, 203), (bytes, type) => {
        const data = Buffer.from(bytes)
        if (data.length > 1) data.set([((data[0] ?? 0) & 0x3f) | 0x80, type])
        parseRtcp(data)
        parseRtcp(Buffer.concat([buildRtcp({ ssrc: 5, cname: 'a', sender, block }), data]))
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('what a source sends', () => {
  const received = (sequences: number[]) => {
    const reception = createReception(1, sequences[0] ?? 0)
    const taken = sequences.filter((sequence) => reception.accept(sequence))
    return { reception, taken }
  }

  it('counts losses over the end of the sequence', () => {
    const { reception } = received([65_533, 65_534, 1, 2])
    expect(reception.report()).toMatchObject({ received: 4, lost: 2, highestSequence: 0x1_0002 })
    expect(reception.fractionLost()).toBe(Math.floor((2 * 256) / 6))
    expect(reception.fractionLost()).toBe(0)
  })

  it('takes what is out of order, and nothing twice', () => {
    const { reception, taken } = received([10, 12, 11, 12, 10, 13])
    expect(taken).toEqual([10, 12, 11, 13])
    expect(reception.report()).toMatchObject({ lost: 0, duplicates: 2 })
  })

  it('a stray number far away is left out; two in a row are a new beginning', () => {
    const { reception, taken } = received([10, 11, 40_000, 12, 50_000, 50_001, 50_002])
    expect(taken).toEqual([10, 11, 12, 50_001, 50_002])
    expect(reception.report().lost).toBe(0)
  })

  it('jitter is nothing for an even stream and follows an uneven one', () => {
    const even = createReception(1, 0)
    const uneven = createReception(1, 0)
    for (let index = 0; index < 200; index += 1) {
      even.arrived((0xffff_0000 + 160 * index) >>> 0, 160 * index)
      uneven.arrived(160 * index, 160 * index + (index % 2) * 80)
    }
    expect(even.report().jitter).toBe(0)
    expect(uneven.report().jitter).toBeGreaterThan(70)
  })
})

describe('reports', () => {
  it('tell both sides loss, jitter and the time there and back', () => {
    const one = createReports(1, (nowMs) => epoch + nowMs)
    const two = createReports(2, (nowMs) => epoch + 5_000_000 + nowMs)
    const reception = createReception(1, 100)
    for (const sequence of [100, 101, 103]) reception.accept(sequence)
    const sent = { packets: 4, octets: 640, timestamp: 640 }
    const [first, second] = [one.goodbye(1_000, sent, null), (): Buffer => two.goodbye(1_500, sent, reception)]
    two.read(first, 1_040)
    one.read(second(), 1_540)
    expect(one.figures()).toEqual({ roundTripMs: 80, remote: { fractionLost: 0.25, lost: 1, jitterMs: 0 }, bye: true })
  })

  it('come every few seconds, and not at once', () => {
    const reports = createReports(1, (nowMs) => epoch + nowMs)
    let count = 0
    for (let now = 0; now < 60_000; now += 20) {
      if (!reports.isDue(now)) continue
      reports.report(now, { packets: 1, octets: 1, timestamp: 0 }, null)
      count += 1
    }
    expect(count).toBeGreaterThanOrEqual(8)
    expect(count).toBeLessThanOrEqual(25)
  })
})
