import { createSipTelephony, type SipTelephony, type SipTelephonyOptions } from '../../src/adapters/sip/telephony.ts'
import type { Trunk } from '../../src/agents/trunk.ts'
import { createLog } from '../../src/platform/log.ts'
import type { SpeechParts } from '../../src/voice/speech-link.ts'
import { atEnd } from '../at-end.ts'
import { anySound } from '../speech/line.ts'
import { noNames } from './agent.ts'

/** A trunk as it stands in the database. */
export const trunkData = (port: number, more: Partial<Trunk> = {}): Trunk => ({
  trunkId: `trk_${'1'.repeat(32)}`,
  host: '127.0.0.1',
  port,
  transport: 'udp',
  user: null,
  password: null,
  callerId: null,
  register: false,
  srtp: 'off',
  inboundAddresses: [],
  maxConcurrent: 10,
  callsPerSecond: 100,
  ...more,
})

/** Says a tone for every word, and hears no words: for what is about the line, not about talk. */
export const plainSpeech: SpeechParts = {
  stt: {
    understands: () => true,
    async *transcribe() {
      yield { text: '', final: true }
    },
  },
  tts: {
    speaks: () => true,
    async *say(text, _voice, signal) {
      for (const _ of text.split(' ')) {
        signal.throwIfAborted()
        yield new Int16Array(80 * 8).fill(1_000)
      }
    },
  },
  vad: anySound,
}

const opened: SipTelephony[] = []
/** Registers the clean-up: every telephony is closed at the end of the file. */
export function closeLinesAtEnd(): void {
  atEnd(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()))
  })
}

export function startLines(options: Partial<SipTelephonyOptions> & { rtpPorts: [number, number] }): SipTelephony {
  const lines = createSipTelephony({
    listen: { host: '127.0.0.1', udpPort: 0, tcpPort: 0 },
    trunks: async () => [],
    version: async () => '1',
    speech: async () => plainSpeech,
    nowMs: () => performance.now(),
    log: createLog('silent'),
    resolve: noNames,
    allowPrivate: true,
    mediaWorkers: 1,
    ...options,
  })
  opened.push(lines)
  return lines
}
