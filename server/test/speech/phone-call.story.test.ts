import { describe, expect, it } from 'vitest'
import { builtInBrain } from '../../src/adapters/brain/built-in.ts'
import { createFliteSpeech } from '../../src/adapters/speech/flite.ts'
import { createFvadDetector } from '../../src/adapters/speech/fvad.ts'
import { createMoonshineRecogniser } from '../../src/adapters/speech/moonshine.ts'
import type { AudioFrame } from '../../src/voice/audio.ts'
import { converse } from '../../src/voice/conversation.ts'
import { energyDetector } from '../../src/voice/energy-vad.ts'
import type { Tools, Utterance } from '../../src/voice/ports.ts'
import { createRecorder } from '../../src/voice/recorder.ts'
import { createSpeechLink } from '../../src/voice/speech-link.ts'
import { usualLimits } from '../../src/voice/turn.ts'
import type { TurnDelay } from '../../src/voice/turn-delay.ts'
import type { VoicemailPlan } from '../../src/voice/voicemail.ts'
import { context, slots } from '../built-in-talk.ts'
import { createTestLine, recogniserOn, voiceOn } from './line.ts'
import { spokenOnPhone } from './spoken.ts'

const [stt, tts, vad] = await Promise.all([createMoonshineRecogniser(), createFliteSpeech(), createFvadDetector()])
// The model is loaded before the call begins, as it is on a real line.
if (stt) for await (const _ of stt.transcribe(nothing(), 'en', new AbortController().signal));
const skipped = stt && tts ? '' : ' (skipped: moonshine or flite is not installed)'

const toolsOf = (): Tools => {
  const tool = (result: object) => ({
    description: '',
    parameters: {},
    run: async () => ({ ok: true, message: 'Done.', ...result }),
  })
  return {
    list_slots: tool({ message: 'Two openings.', slots: slots.slice(0, 2) }),
    book_appointment: tool({ message: 'You are booked for Monday at nine.' }),
    end_call: tool({ message: '' }),
  }
}

/** A callee with these lines, each said once the agent has been quiet for a while. */
async function callWith(lines: readonly Int16Array[], options: { voicemail?: VoicemailPlan; quietMs?: number } = {}) {
  if (!stt || !tts) throw new Error('skipped')
  const line = createTestLine()
  const recorder = createRecorder()
  const delays: TurnDelay[] = []
  const waiting = [...lines]
  let quietMs = 0
  let calleeUntilMs = 0
  const onFrame = (frame: AudioFrame) => {
    recorder.add(frame)
    quietMs = frame.played ? 0 : quietMs + 20
    const next = waiting[0]
    if (!next || quietMs < (options.quietMs ?? 700) || line.nowMs() < calleeUntilMs) return
    waiting.shift()
    line.sound(line.nowMs() + 20, next)
    calleeUntilMs = line.nowMs() + next.length / 8 + 3_000
  }
  const link = createSpeechLink({
    audio: line.audio,
    stt: recogniserOn(line, stt),
    tts: voiceOn(line, tts),
    vad: vad ?? energyDetector,
    nowMs: line.nowMs,
    onTurnDelay: (delay) => delays.push(delay),
    onFrame,
  })
  const said: Utterance[] = []
  const result = await converse({
    link,
    brain: builtInBrain,
    tools: toolsOf(),
    context,
    limits: { ...usualLimits, maxSeconds: 120 },
    ...(options.voicemail ? { voicemail: options.voicemail } : {}),
    onUtterance: (utterance) => void said.push(utterance),
    signal: new AbortController().signal,
  })
  line.hangUp(0)
  return { ...result, said, delays, recorder, seconds: link.seconds() }
}

describe.skipIf(skipped !== '')(`a call in which every word is sound${skipped}`, () => {
  it('a person books an appointment', async () => {
    const yes = await spokenOnPhone('Yes please.', { aroundMs: 0 })
    const bye = await spokenOnPhone('No thank you, goodbye.', { aroundMs: 0 })
    const lines = [yes, yes, yes, bye]
    const call = await callWith(lines)
    expect(call.toolUses.map(({ name }) => name)).toEqual(expect.arrayContaining(['list_slots', 'book_appointment']))
    expect(call.toolUses.find(({ name }) => name === 'book_appointment')?.args).toMatchObject({ slot_id: 's1' })
    expect(['finished', 'silence']).toContain(call.ending)
    expect(new Set(call.said.map(({ speaker }) => speaker))).toEqual(new Set(['agent', 'user']))
    // The line's time stands still while somebody is at work, so what is left is the pause.
    expect(call.delays.length).toBeGreaterThanOrEqual(2)
    for (const { endpointing, total } of call.delays) {
      expect(endpointing).toBeGreaterThanOrEqual(500)
      expect(total).toBeLessThan(4_000)
    }
    const wav = await call.recorder.wav()
    expect(loudness(wav, 0)).toBeGreaterThan(100)
    expect(loudness(wav, 1)).toBeGreaterThan(100)
  })

  it('a machine gets the message after its tone', async () => {
    const words = await spokenOnPhone('You have reached my voicemail. Please leave a message after the tone.')
    const machine = new Int16Array(words.length + 8 * 1_500)
    machine.set(words)
    for (let at = 0; at < 8 * 500; at += 1)
      machine[words.length + 8 * 700 + at] = 7_000 * Math.sin((2 * Math.PI * 1_000 * at) / 8_000)
    const voicemail = { action: 'leave_message', message: 'This is Asha. Please call us back.' } as const
    const call = await callWith([machine], { voicemail })
    expect(call.ending).toBe('voicemail')
    expect(call.said.at(-1)).toMatchObject({ speaker: 'agent', text: voicemail.message })
  })
})

function loudness(wav: Buffer, channel: number): number {
  let sum = 0
  const frames = (wav.length - 44) / 4
  for (let at = 0; at < frames; at += 1) sum += wav.readInt16LE(44 + 4 * at + 2 * channel) ** 2
  return Math.sqrt(sum / frames)
}

async function* nothing(): AsyncGenerator<Int16Array> {}
