import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CallLeg, DialRefused, type LegEnd, type LegEvent, type Telephony } from '../../voice/ports.ts'

/** An adapter, and a far end for it to ring. */
export type TelephonyUnderTest = {
  telephony: Telephony
  from: string
  numbers: {
    /** Answers, and stays on the line for a while. */
    answers: string
    busy: string
    neverAnswers: string
    invalid: string
    /** Answers, talks for a little while and hangs up of its own accord. */
    hangsUp: string
    /** Answers, and lets themselves be sent on. Only where legs can transfer. */
    takesTransfers?: string
  }
  /** What the adapter still holds open: legs, and dials under way. */
  openLegs(): number
}

const transferTarget = '+15005550109'
const never = new AbortController().signal
const longSpeech = Array.from({ length: 9_000 }, (_, index) => `word${index}`).join(' ')
/** Long enough to have begun, however slow the machine; nothing is asserted about it. */
const underWayMs = 20
const endOf = (events: readonly LegEvent[]): LegEnd | undefined => {
  const last = events.at(-1)
  return last?.type === 'ended' ? last.end : undefined
}

async function collect(leg: CallLeg): Promise<LegEvent[]> {
  const events: LegEvent[] = []
  for await (const event of leg.events) events.push(event)
  return events
}

async function answered(leg: CallLeg): Promise<void> {
  for await (const event of leg.events) if (event.type === 'answered') return
  throw new Error('The leg ended without an answer.')
}

/** What every adapter behind `Telephony` promises. */
export function describeTelephony(name: string, create: () => Promise<TelephonyUnderTest>): void {
  describe(`${name} keeps the promises of Telephony`, () => {
    let under: TelephonyUnderTest
    beforeEach(async () => {
      under = await create()
    })
    afterEach(async () => {
      await under.telephony.close()
      await vi.waitFor(() => expect(under.openLegs()).toBe(0))
    })
    const dial = (to: string, { ringSeconds = 20, signal = never } = {}) =>
      under.telephony.dial({ callId: 'call_conformance', from: under.from, to, ringSeconds }, signal)

    it('an answered call rings at most once, answers once, ends once, in that order', async () => {
      const leg = await dial(under.numbers.answers)
      const events = collect(leg)
      await answered(leg)
      await leg.hangup()
      const types = (await events).map((event) => event.type)
      expect(types.filter((type) => type !== 'ringing')).toEqual(['answered', 'ended'])
      expect(types.lastIndexOf('ringing')).toBeLessThan(types.indexOf('answered'))
    })

    it('hanging up ends the leg as the agent did it, however often', async () => {
      const leg = await dial(under.numbers.answers)
      const events = collect(leg)
      await answered(leg)
      await Promise.all([leg.hangup(), leg.hangup()])
      await leg.hangup()
      expect(endOf(await events)).toEqual({ reason: 'hangup', by: 'agent' })
      expect(under.openLegs()).toBe(0)
    })

    it('hanging up while it rings ends the leg without an answer', async () => {
      const leg = await dial(under.numbers.neverAnswers)
      const events = collect(leg)
      await leg.hangup()
      expect(endOf(await events)).toEqual({ reason: 'hangup', by: 'agent' })
      expect((await events).some((event) => event.type === 'answered')).toBe(false)
    })

    it('a busy callee ends as busy, never answered', async () => {
      const outcome = await outcomeOf(dial(under.numbers.busy))
      expect(outcome).toEqual({ reason: 'busy', answered: false })
    })

    it('a callee who never answers ends as no_answer once the ring time is over', async () => {
      const outcome = await outcomeOf(dial(under.numbers.neverAnswers, { ringSeconds: 2 }))
      expect(outcome).toEqual({ reason: 'no_answer', answered: false })
    })

    it('a number that does not exist is invalid_number, refused or ended before an answer', async () => {
      const outcome = await outcomeOf(dial(under.numbers.invalid))
      expect(outcome).toEqual({ reason: 'invalid_number', answered: false })
    })

    it('a callee who hangs up ends the leg; whoever listens learns of it', async () => {
      const leg = await dial(under.numbers.hangsUp)
      const events = collect(leg)
      await answered(leg)
      for (let turn = 0; turn < 50; turn += 1) {
        await leg.speech.say('Hello, how are you today?', 'en', never)
        if ((await leg.speech.listen({ silenceSeconds: 1 }, never)).type === 'gone') break
      }
      expect(endOf(await events)).toEqual({ reason: 'hangup', by: 'callee' })
      await leg.hangup()
      expect(under.openLegs()).toBe(0)
    })

    it('whoever is speaking when the line goes is let go at once, with the words heard', async () => {
      const leg = await dial(under.numbers.answers)
      await answered(leg)
      const saying = leg.speech.say(longSpeech, 'en', never)
      await sleep(underWayMs)
      await leg.hangup()
      expect(longSpeech.startsWith((await saying).heard)).toBe(true)
      expect((await saying).heard).not.toBe(longSpeech)
    })

    it('whoever is listening when the line goes is let go at once', async () => {
      const leg = await dial(under.numbers.answers)
      await answered(leg)
      const listening = leg.speech.listen({ silenceSeconds: 3_600 }, never)
      await sleep(underWayMs)
      await leg.hangup()
      expect(await listening).toEqual({ type: 'gone' })
    })

    it('after the end nothing is heard either way, and time stands still', async () => {
      const leg = await dial(under.numbers.answers)
      await answered(leg)
      await leg.hangup()
      const seconds = leg.speech.seconds()
      expect((await leg.speech.say('Anyone?', 'en', never)).heard).toBe('')
      expect(await leg.speech.listen({ silenceSeconds: 3_600 }, never)).toEqual({ type: 'gone' })
      expect(leg.speech.seconds()).toBe(seconds)
    })

    it('an abort cuts the agent short; what was heard is reported, and the line stays up', async () => {
      const leg = await dial(under.numbers.answers)
      await answered(leg)
      const interrupting = new AbortController()
      const saying = leg.speech.say(longSpeech, 'en', interrupting.signal)
      await sleep(underWayMs)
      interrupting.abort()
      expect(longSpeech.startsWith((await saying).heard)).toBe(true)
      expect((await saying).heard).not.toBe(longSpeech)
      expect((await leg.speech.say('Hello.', 'en', never)).heard).toBe('Hello.')
    })

    it('an abort lets a listener go as if the line had gone, and the line stays up', async () => {
      const leg = await dial(under.numbers.answers)
      await answered(leg)
      const interrupting = new AbortController()
      const listening = leg.speech.listen({ silenceSeconds: 3_600 }, interrupting.signal)
      await sleep(underWayMs)
      interrupting.abort()
      expect(await listening).toEqual({ type: 'gone' })
      expect((await leg.speech.say('Hello.', 'en', never)).heard).toBe('Hello.')
    })

    it('an aborted signal places no call', async () => {
      await expect(dial(under.numbers.answers, { signal: AbortSignal.abort() })).rejects.toThrow()
      expect(under.openLegs()).toBe(0)
    })

    it('aborting a dial under way leaves nothing open', async () => {
      const giving = new AbortController()
      const dialling = dial(under.numbers.neverAnswers, { signal: giving.signal })
      giving.abort(new Error('no longer wanted'))
      // The carrier may have been quicker; then the leg is there to be hung up.
      await dialling.then(
        (leg) => leg.hangup(),
        () => {},
      )
      await vi.waitFor(() => expect(under.openLegs()).toBe(0))
    })

    it('a transfer that is refused or given up leaves the line as it was; none is possible after the end', async () => {
      const leg = await dial(under.numbers.answers)
      await answered(leg)
      if (leg.transfer) {
        expect(await leg.transfer(transferTarget, AbortSignal.abort())).toBe('refused')
        expect((await leg.speech.say('Hello.', 'en', never)).heard).toBe('Hello.')
        // Nobody here lets themselves be sent on, at the latest when time is over.
        expect(await leg.transfer(transferTarget, AbortSignal.timeout(2_000))).toBe('refused')
        expect((await leg.speech.say('Hello.', 'en', never)).heard).toBe('Hello.')
      }
      await leg.hangup()
      expect(await (leg.transfer?.(transferTarget, never) ?? 'refused')).toBe('refused')
    })

    it('a transfer that is taken leaves nothing to do but to hang up', async ({ skip }) => {
      const { takesTransfers } = under.numbers
      if (takesTransfers === undefined) return skip()
      const leg = await dial(takesTransfers)
      const events = collect(leg)
      await answered(leg)
      expect(await leg.transfer?.(transferTarget, never)).toBe('transferred')
      await leg.hangup()
      expect(endOf(await events)?.reason).toBe('hangup')
      expect(under.openLegs()).toBe(0)
    })

    it('closing ends every leg, answered or ringing, and refuses new calls', async () => {
      const talking = await dial(under.numbers.answers)
      await answered(talking)
      const ringing = await dial(under.numbers.neverAnswers)
      const ends = Promise.all([collect(talking), collect(ringing)])
      await under.telephony.close()
      expect((await ends).map(endOf)).toEqual([
        { reason: 'hangup', by: 'agent' },
        { reason: 'hangup', by: 'agent' },
      ])
      await expect(dial(under.numbers.answers)).rejects.toThrow()
      await under.telephony.close()
      expect(under.openLegs()).toBe(0)
    })
  })
}

async function outcomeOf(dialling: Promise<CallLeg>): Promise<{ reason: string | undefined; answered: boolean }> {
  try {
    const events = await collect(await dialling)
    return { reason: endOf(events)?.reason, answered: events.some((event) => event.type === 'answered') }
  } catch (error) {
    if (error instanceof DialRefused) return { reason: error.reason, answered: false }
    throw error
  }
}
