import { describe, expect, it } from 'vitest'
import type { VoiceDetector } from '../../voice/ports.ts'

const framesOf = (samples: Int16Array) =>
  Array.from({ length: Math.floor(samples.length / 160) }, (_, frame) =>
    samples.subarray(160 * frame, 160 * (frame + 1)),
  )

/** What every adapter behind `VoiceDetector` promises; `spoken` is somebody talking without long pauses. */
export function describeVoiceDetector(name: string, create: () => Promise<{ vad: VoiceDetector; spoken: Int16Array }>) {
  describe(`${name} keeps the promises of VoiceDetector`, () => {
    it('hears a voice when there is one, and none in silence or soft hiss', async () => {
      const { vad, spoken } = await create()
      const share = (samples: Int16Array) => {
        const activity = vad.open()
        const frames = framesOf(samples)
        const voiced = frames.filter((frame) => activity.isVoice(frame)).length
        activity.close()
        return voiced / frames.length
      }
      expect(share(new Int16Array(16_000))).toBe(0)
      expect(share(Int16Array.from({ length: 16_000 }, (_, i) => ((i * 7_919) % 41) - 20))).toBeLessThan(0.1)
      expect(share(spoken)).toBeGreaterThan(0.5)
    })

    it('each line has its own; a closed one hears nothing, and closing twice does no harm', async () => {
      const { vad, spoken } = await create()
      const [one, other] = [vad.open(), vad.open()]
      const frames = framesOf(spoken)
      const silence = new Int16Array(160)
      let voiced = 0
      for (const frame of frames) {
        voiced += one.isVoice(frame) ? 1 : 0
        expect(other.isVoice(silence)).toBe(false)
      }
      expect(voiced).toBeGreaterThan(frames.length / 2)
      one.close()
      one.close()
      expect(one.isVoice(frames[20] as Int16Array)).toBe(false)
      other.close()
    })

    it('thousands may be opened and closed', async () => {
      const { vad, spoken } = await create()
      for (let line = 0; line < 3_000; line += 1) {
        const activity = vad.open()
        activity.isVoice(spoken.subarray(0, 160))
        activity.close()
      }
    })
  })
}
