import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ConfigError, parseConfig, settings } from './config.ts'

it('has the defaults of decisions 10', () => {
  expect(parseConfig({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    baseUrl: 'http://127.0.0.1:3000',
    dashboardUrl: 'http://127.0.0.1:3000',
    dataDir: expect.stringMatching(/\/data$/),
    roles: ['api', 'calls', 'webhooks'],
    callDelayMs: 15_000,
    webhooks: { retryDelaysMs: [30_000, 120_000, 600_000, 3_600_000], timeoutMs: 8_000, allowPrivate: false },
    rateLimitPerMinute: 600,
    hookQuotas: { base: 1_000, professional: 10_000, enterprise: 100_000 },
    creditsPerMinute: 1,
    simulatorSpeed: 1,
    rtpPorts: [16_384, 32_767],
    demo: true,
    logLevel: 'info',
  })
})

it('an empty value counts as not set', () => {
  expect(parseConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: undefined })
})

it('reports every problem at once, and never the value of a secret', () => {
  const env = {
    PORT: '99999',
    PARLEY_CALL_DELAY: 'soon',
    PARLEY_WEBHOOK_RETRY_DELAYS: '30s,later',
    PARLEY_ROLES: 'api,cook',
    PARLEY_BASE_URL: 'ftp://x',
    PARLEY_DEMO: 'yes',
    PARLEY_SECRET_KEY: 'too short',
    DATABASE_URL: 'mysql://user:hunter2@host/db',
    PARLEY_LLM_URL: 'http://127.0.0.1:1/v1',
    PARLEY_WEBHOOK_CA_FILE: '/nowhere/ca.pem',
    LOG_LEVEL: 'loud',
  }
  let problems: string[] = []
  try {
    parseConfig(env)
  } catch (error) {
    problems = (error as ConfigError).problems
  }
  const named = problems.map((each) => each.split(' ')[0])
  expect(named.toSorted()).toEqual(
    [...Object.keys(env).filter((each) => each !== 'PARLEY_LLM_URL'), 'PARLEY_LLM_MODEL'].toSorted(),
  )
  expect(problems.join()).not.toMatch(/hunter2|too short/)
})

it.each(['16384', '16384-16384', '16385-16386', '20000-10000', '80-90', '60000-70000', 'a-b', '16384-16390-16400'])(
  'a range of ports without room for a pair is refused: %s',
  (range) => {
    expect(() => parseConfig({ PARLEY_RTP_PORTS: range })).toThrow(/PARLEY_RTP_PORTS must be two ports/)
  },
)

it('DATABASE_URL needs PARLEY_SECRET_KEY', () => {
  expect(() => parseConfig({ DATABASE_URL: 'postgres://x/y' })).toThrow(ConfigError)
})

it('the README lists every setting with its default, and no other', () => {
  const rows = readFileSync('README.md', 'utf8').matchAll(/^\| `([A-Z0-9_]+)` \| (.+?) \| (.+) \|$/gm)
  const listed = Object.fromEntries([...rows].map(([, name, fallback, purpose]) => [name, [fallback, purpose]]))
  const expected = Object.entries(settings).map(([name, [fallback, purpose]]) => [
    name,
    [/^[\w.,:/-]+$/.test(fallback) ? `\`${fallback}\`` : fallback, purpose],
  ])
  expect(listed).toEqual(Object.fromEntries(expected))
})

it('a speech service needs its key, and its voice where it has none of its own; a server of one’s own needs neither', () => {
  const problemsOf = (env: Record<string, string>) => {
    try {
      parseConfig(env)
    } catch (error) {
      return (error as ConfigError).problems.map((each) => each.split(' ')[0])
    }
    return []
  }
  expect(problemsOf({ PARLEY_STT: 'deepgram', PARLEY_TTS: 'elevenlabs' })).toEqual([
    'PARLEY_TTS_VOICE',
    'PARLEY_STT_KEY',
    'PARLEY_TTS_KEY',
  ])
  expect(problemsOf({ PARLEY_STT: 'magic', PARLEY_TTS_URL: 'ftp://x', PARLEY_TTS: 'openai' })).toEqual([
    'PARLEY_STT',
    'PARLEY_TTS_URL',
    'PARLEY_TTS_KEY',
  ])
  const own = { PARLEY_STT: 'openai', PARLEY_STT_URL: 'http://127.0.0.1:1/v1/' }
  expect(parseConfig(own).speech).toEqual({
    stt: { service: 'openai', url: 'http://127.0.0.1:1/v1', key: undefined, model: 'whisper-1' },
    tts: undefined,
  })
})
