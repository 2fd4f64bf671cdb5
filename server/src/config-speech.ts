/** What a setting that names a service needs from the reader of settings. */
export type SettingReader<Name extends string> = {
  text(name: Name): string | undefined
  url(name: Name, fallback: string | undefined, protocols: string[]): string | undefined
  oneOf<T extends string>(name: Name, allowed: readonly T[]): T
  problem(text: string): void
}

export const speechSettings = {
  PARLEY_STT: ['local', 'Who recognises speech on real lines: `local`, `openai` or `deepgram`.'],
  PARLEY_STT_URL: ["the service's own", 'Its address, e.g. `http://127.0.0.1:8080/v1` for an OpenAI-compatible one.'],
  PARLEY_STT_KEY: ['none', 'Its API key.'],
  PARLEY_STT_MODEL: ["the service's usual", 'Its model.'],
  PARLEY_TTS: ['local', 'Who speaks on real lines: `local`, `openai` or `elevenlabs`.'],
  PARLEY_TTS_URL: ["the service's own", 'Its address.'],
  PARLEY_TTS_KEY: ['none', 'Its API key.'],
  PARLEY_TTS_MODEL: ["the service's usual", 'Its model.'],
  PARLEY_TTS_VOICE: ["the service's usual", 'Its voice. Required for `elevenlabs`.'],
} as const
export const twilioSettings = {
  PARLEY_TWILIO_ACCOUNT_SID: ['none', 'Places the calls of numbers whose carrier is `twilio`.'],
  PARLEY_TWILIO_AUTH_TOKEN: ['none', 'Its auth token. Required with `PARLEY_TWILIO_ACCOUNT_SID`.'],
  PARLEY_TWILIO_PUBLIC_URL: ['the base URL', 'How Twilio reaches this very node; each node needs its own.'],
  PARLEY_TWILIO_API_URL: ['https://api.twilio.com', 'Where Twilio is asked.'],
} as const
type Name = keyof typeof speechSettings
type TwilioName = keyof typeof twilioSettings

const services = {
  stt: {
    openai: { url: 'https://api.openai.com/v1', model: 'whisper-1' },
    deepgram: { url: 'wss://api.deepgram.com/v1', model: 'nova-3' },
  },
  tts: {
    openai: { url: 'https://api.openai.com/v1', model: 'gpt-4o-mini-tts' },
    elevenlabs: { url: 'wss://api.elevenlabs.io/v1', model: 'eleven_flash_v2_5' },
  },
} as const

/** `local`, or a service with everything it takes to ask it. */
export function parseSpeech({ text, url, oneOf, problem }: SettingReader<Name>) {
  const endpoint = (part: 'STT' | 'TTS', usual: { url: string; model: string }) => {
    const address = url(`PARLEY_${part}_URL`, usual.url, ['http:', 'https:', 'ws:', 'wss:']) as string
    const key = text(`PARLEY_${part}_KEY`)
    // A server of one's own may need none.
    if (!key && address === usual.url) problem(`PARLEY_${part}_KEY is required with PARLEY_${part}.`)
    return { url: address, key, model: text(`PARLEY_${part}_MODEL`) ?? usual.model }
  }
  const recogniser = oneOf('PARLEY_STT', ['local', 'openai', 'deepgram'])
  const speaker = oneOf('PARLEY_TTS', ['local', 'openai', 'elevenlabs'])
  const voice = text('PARLEY_TTS_VOICE')
  if (speaker === 'elevenlabs' && !voice) problem('PARLEY_TTS_VOICE is required with PARLEY_TTS=elevenlabs.')
  const sttUsual = recogniser === 'local' ? undefined : services.stt[recogniser]
  const ttsUsual = speaker === 'local' ? undefined : services.tts[speaker]
  return {
    stt: sttUsual && recogniser !== 'local' ? { service: recogniser, ...endpoint('STT', sttUsual) } : undefined,
    tts: ttsUsual && speaker !== 'local' ? { service: speaker, ...endpoint('TTS', ttsUsual), voice } : undefined,
  }
}

export function parseTwilio({ text, url, problem }: SettingReader<TwilioName>, baseUrl: string) {
  const accountSid = text('PARLEY_TWILIO_ACCOUNT_SID')
  const authToken = text('PARLEY_TWILIO_AUTH_TOKEN')
  const publicUrl = url('PARLEY_TWILIO_PUBLIC_URL', baseUrl, ['http:', 'https:']) as string
  const apiUrl = url('PARLEY_TWILIO_API_URL', twilioSettings.PARLEY_TWILIO_API_URL[0], ['http:', 'https:']) as string
  if (!accountSid) return undefined
  if (!authToken) problem('PARLEY_TWILIO_AUTH_TOKEN is required with PARLEY_TWILIO_ACCOUNT_SID.')
  return { accountSid, authToken: authToken ?? '', publicUrl, apiUrl }
}
