import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { MediaSession } from '../../src/adapters/rtp/media-line.ts'
import type { MediaParameters } from '../../src/adapters/rtp/media-parameters.ts'
import type { MediaStats } from '../../src/adapters/rtp/session.ts'
import { createEventLog } from '../../src/adapters/simulator/event-log.ts'
import type { CallEvent, SipCall } from '../../src/adapters/sip/call.ts'
import { openLeg } from '../../src/adapters/sip/leg.ts'
import { agree, createAnswer, createOffer } from '../../src/adapters/sip/negotiate.ts'
import { parseSdp } from '../../src/adapters/sip/sdp.ts'
import { createLog } from '../../src/platform/log.ts'
import { trunkTo } from './agent.ts'
import { plainSpeech } from './lines.ts'
import { sound } from './wire-phone.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

const local = { address: '127.0.0.1', port: 40_000 }
const session = { id: '1', version: 1 }
/** What we offered and they answered; and what they offered later. */
const answered = agree(createOffer(local, 'off', session, 'sendrecv'), parseSdp(sound()), 'off')
const offered = agree(createOffer(local, 'off', session, 'sendrecv'), parseSdp(sound().replaceAll('101', '96')), 'off')
const changedTo = (more: Parameters<typeof sound>[0], from = (text: string) => text) => {
  const theirs = parseSdp(from(sound(more)))
  return agree(createAnswer(theirs, local, 'off', session, null), theirs, 'off')
}

/** A leg whose other side falls quiet at time 0. */
function startLeg() {
  const events = createEventLog<CallEvent>()
  const line = { parameters: {} as Partial<MediaParameters>, hungUp: 0 }
  const time = { nowMs: 0, heardAtMs: 0 }
  const nothing = createEventLog<never>()
  const call = {
    id: 'c',
    dialog: () => null,
    events: events.events,
    hangup: async () => {
      line.hungUp += 1
      events.add({ type: 'ended', end: { reason: 'hangup', by: 'agent', status: null, words: '' } })
      events.close()
    },
  } as unknown as SipCall
  const media = {
    localPort: 1,
    frames: nothing.events,
    digits: nothing.events,
    update: (changes: Partial<MediaParameters>) => Object.assign(line.parameters, changes),
    stats: async () => ({ received: { quietForMs: time.nowMs - time.heardAtMs } }) as MediaStats,
    close: async () => nothing.close(),
  } as unknown as MediaSession
  const options = { parts: plainSpeech, nowMs: () => time.nowMs, log: createLog('silent'), trunk: trunkTo(1) }
  const leg = openLeg({ ...options, call, line: media })
  /** Looks at the line every five seconds, as the watch does. */
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 5) {
      time.nowMs += 5_000
      await vi.advanceTimersByTimeAsync(5_000)
    }
  }
  const tell = async (event: CallEvent) => {
    events.add(event)
    await vi.advanceTimersByTimeAsync(0)
  }
  return { leg, line, pass, tell, events }
}
const endOf = async ({ leg }: ReturnType<typeof startLeg>) => {
  for await (const event of leg.events) if (event.type === 'ended') return event.end
  return null
}

describe('a line that carries nothing', () => {
  it('for a minute has gone: it is hung up and counts as dropped', async () => {
    const started = startLeg()
    await started.tell({ type: 'answered', media: answered })
    await started.pass(60)
    expect(started.line.hungUp).toBe(0)
    await started.pass(10)
    expect(started.line.hungUp).toBe(1)
    expect(await endOf(started)).toEqual({ reason: 'line_dropped', by: 'carrier' })
  })

  it.each([
    ['sendonly', { direction: 'sendonly' }],
    ['inactive', { direction: 'inactive' }],
    ['0.0.0.0', { address: '0.0.0.0' }],
  ])('because it is held (%s) stays, however long; resumed, it has a minute again', async (_how, hold) => {
    const { tell, pass, line, leg } = startLeg()
    await tell({ type: 'answered', media: answered })
    await tell({ type: 'remote-hold', media: changedTo({ version: 2, ...hold }) })
    await pass(600)
    expect(line.hungUp).toBe(0)
    await tell({ type: 'remote-resume', media: changedTo({ version: 3 }) })
    await pass(55)
    expect(line.hungUp).toBe(0)
    await pass(15)
    expect(line.hungUp).toBe(1)
    await leg.over
  })

  it('and is described anew while it is not held does not begin another minute', async () => {
    const { tell, pass, line, leg } = startLeg()
    await tell({ type: 'answered', media: answered })
    await pass(55)
    await tell({ type: 'media', media: changedTo({ version: 2 }) })
    await pass(15)
    expect(line.hungUp).toBe(1)
    await leg.over
  })
})

it('keys are expected under the number of the last description, whoever offered it', async () => {
  const { tell, line, leg } = startLeg()
  await tell({ type: 'answered', media: offered })
  expect(line.parameters.telephoneEvent).toEqual({ send: 96, receive: 101 })
  await tell({ type: 'media', media: changedTo({ version: 2 }, (text) => text.replaceAll('101', '97')) })
  expect(line.parameters.telephoneEvent).toEqual({ send: 97, receive: 97 })
  await leg.hangup()
})
