import { expect, it } from 'vitest'
import { fromMuLaw, toMuLaw } from './mu-law.ts'
import { createRecorder } from './recorder.ts'

const tone = (hertz: number) =>
  Int16Array.from({ length: 160 }, (_, i) => Math.round(8_000 * Math.sin((2 * Math.PI * hertz * i) / 8_000)))
const silence = new Int16Array(160)

it('puts the agent left and the callee right, each at its time', async () => {
  const recorder = createRecorder()
  for (let frame = 0; frame < 400; frame += 1) {
    const speaks = frame < 100 ? 'agent' : frame < 300 ? 'nobody' : 'callee'
    recorder.add({ played: speaks === 'agent' ? tone(500) : null, heard: speaks === 'callee' ? tone(1_000) : silence })
  }
  const wav = await recorder.wav()
  const level = (channel: number, from: number, to: number) => {
    let sum = 0
    for (let at = from * 160; at < to * 160; at += 1) sum += wav.readInt16LE(44 + 4 * at + 2 * channel) ** 2
    return Math.sqrt(sum / (160 * (to - from)))
  }
  expect(wav.length).toBe(44 + 400 * 160 * 4)
  expect([level(0, 100, 400), level(1, 0, 300)]).toEqual([0, 0])
  expect(level(0, 0, 100)).toBeGreaterThan(5_000)
  expect(level(1, 300, 400)).toBeGreaterThan(5_000)
})

it('holds one byte a sample of sound, nothing of silence, and stops after two hours', async () => {
  const recorder = createRecorder()
  const [left, right] = [tone(500), tone(700)]
  for (let frame = 0; frame < 3_000; frame += 1) recorder.add({ played: left, heard: right })
  expect(recorder.size()).toBe(2 * 3_000 * 160)
  for (let frame = 0; frame < 400_000; frame += 1) recorder.add({ played: null, heard: silence })
  expect(recorder.size()).toBe(2 * 3_000 * 160)
  expect(recorder.seconds()).toBe(7_200)
})

it('mu-law keeps every level to within its step, and every byte exactly', () => {
  for (let sample = -32_768; sample <= 32_767; sample += 97) {
    const [back = 0] = fromMuLaw(toMuLaw(Int16Array.of(sample)))
    expect(Math.abs(back - sample)).toBeLessThanOrEqual(Math.max(4, Math.abs(sample) / 16))
  }
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  // 0x7f is minus zero, which is zero.
  expect([...toMuLaw(fromMuLaw(bytes))].filter((byte, index) => byte !== index)).toEqual([0xff])
})
