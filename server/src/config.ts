import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { parseSip, sipSettings } from './config-sip.ts'
import { parseSpeech, parseTwilio, speechSettings, twilioSettings } from './config-speech.ts'
import { parseDurationMs } from './platform/duration.ts'
import { OperatorError } from './platform/errors.ts'

/** Every setting of decisions 10: name, default as written in the README, what it is for. A test holds the README to it. */
export const settings = {
  PORT: ['3000', 'Port to listen on.'],
  HOST: ['127.0.0.1', 'Address to listen on. `0.0.0.0` to be reachable from other machines.'],
  PARLEY_BASE_URL: ['http://HOST:PORT', 'Public address of the service; links in answers start with it.'],
  PARLEY_DASHBOARD_URL: ['the base URL', 'Public address of the dashboard.'],
  DATABASE_URL: ['the embedded database', 'A PostgreSQL server, 15 or newer.'],
  PARLEY_DATA_DIR: ['./data', 'Folder for the embedded database, recordings and the secret key.'],
  PARLEY_SECRET_KEY: [
    'made once, kept in the data folder',
    'Encrypts secrets at rest; at least 16 characters. Required with `DATABASE_URL`.',
  ],
  PARLEY_ROLES: ['api,calls,webhooks', 'What this node does.'],
  PARLEY_NODE_CAPACITY: ['2000', 'Calls this node has in the air at most.'],
  PARLEY_CALL_DELAY: ['15s', 'How soon a call without `scheduled_time` is placed.'],
  PARLEY_WEBHOOK_RETRY_DELAYS: ['30s,2m,10m,1h', 'Waits between delivery attempts.'],
  PARLEY_WEBHOOK_TIMEOUT: ['8s', 'Time a receiver has for its answer.'],
  PARLEY_WEBHOOK_ALLOW_PRIVATE: ['false', '`true` lets webhooks reach private addresses (development).'],
  PARLEY_WEBHOOK_CA_FILE: ['none', 'An extra trusted CA for receivers, a PEM file.'],
  PARLEY_RATE_LIMIT_PER_MINUTE: ['600', 'Requests per minute and API key, on each node.'],
  PARLEY_HOOK_QUOTA_BASE: ['1000', 'Hook requests per UTC day on the Base plan.'],
  PARLEY_HOOK_QUOTA_PROFESSIONAL: ['10000', 'The same on Professional.'],
  PARLEY_HOOK_QUOTA_ENTERPRISE: ['100000', 'The same on Enterprise.'],
  PARLEY_CREDITS_PER_MINUTE: ['1', 'Credits per started minute of talk.'],
  PARLEY_SIMULATOR_SPEED: ['1', 'Divides every simulated wait.'],
  PARLEY_SIMULATOR_DIAL_LOG: [
    'none',
    'A file to which every simulated dial is appended: what a carrier would have seen.',
  ],
  PARLEY_LLM_URL: ['the built-in brain', 'An OpenAI-compatible endpoint, e.g. `http://127.0.0.1:8080/v1`.'],
  PARLEY_LLM_KEY: ['none', 'Its API key.'],
  PARLEY_LLM_MODEL: ['none', 'Its model. Required with `PARLEY_LLM_URL`.'],
  PARLEY_S3_ENDPOINT: ['the data folder', 'Keeps recordings in an S3-compatible store, e.g. `https://s3.example.com`.'],
  PARLEY_S3_BUCKET: ['none', 'Its bucket. This and the keys are required with `PARLEY_S3_ENDPOINT`.'],
  PARLEY_S3_REGION: ['us-east-1', 'Its region.'],
  PARLEY_S3_ACCESS_KEY_ID: ['none', 'Its access key.'],
  PARLEY_S3_SECRET_ACCESS_KEY: ['none', 'Its secret key.'],
  PARLEY_RTP_PORTS: ['16384-32767', 'UDP ports for the sound of real calls, first and last; each call takes two.'],
  ...speechSettings,
  ...twilioSettings,
  ...sipSettings,
  PARLEY_DEMO: ['true', 'The first start of an empty embedded database makes a demo organisation.'],
  LOG_LEVEL: ['info', 'fatal, error, warn, info, debug, trace or silent.'],
} as const
export type SettingName = keyof typeof settings

export const nodeRoles = ['api', 'calls', 'webhooks'] as const
export type NodeRole = (typeof nodeRoles)[number]

export type Config = ReturnType<typeof parseConfig>

export class ConfigError extends OperatorError {
  override readonly name = 'ConfigError'
  readonly problems: string[]
  constructor(problems: string[]) {
    super(`The settings are not valid:\n${problems.map((each) => `  - ${each}`).join('\n')}`)
    this.problems = problems
  }
}

/** The process's environment over a `.env` file beside it. */
export function readEnvironment(folder = process.cwd()): Record<string, string | undefined> {
  let fromFile: Record<string, string | undefined> = {}
  try {
    fromFile = parseEnv(readFileSync(path.join(folder, '.env'), 'utf8')) as Record<string, string | undefined>
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code !== 'ENOENT') throw new ConfigError([`${path.join(folder, '.env')} cannot be read: ${message}.`])
  }
  return { ...fromFile, ...process.env }
}

// A URL may hold a password.
const masked = (value: string | undefined) => value?.replace(/\/\/[^/]*@/, '//…@')

export function parseConfig(env: Record<string, string | undefined>) {
  const problems: string[] = []
  const say = (name: SettingName, wanted: string) =>
    problems.push(`${name} ${wanted}, but it is ${JSON.stringify(masked(env[name]))}.`)
  // An empty value is how a shell or a compose file says "not set".
  const text = (name: SettingName): string | undefined => (env[name] === '' ? undefined : env[name])
  const or = (name: SettingName): string => text(name) ?? settings[name][0]

  const whole = (name: SettingName, least: number, most: number): number => {
    const value = /^\d{1,12}$/.test(or(name)) ? Number(or(name)) : Number.NaN
    if (!(value >= least && value <= most)) say(name, `must be a whole number from ${least} to ${most}`)
    return value
  }
  const positive = (name: SettingName, most: number): number => {
    const value = /^\d+(\.\d+)?$/.test(or(name)) ? Number(or(name)) : Number.NaN
    if (!(value > 0 && value <= most)) say(name, `must be a number above 0 and up to ${most}`)
    return value
  }
  const truth = (name: SettingName): boolean => {
    if (or(name) !== 'true' && or(name) !== 'false') say(name, 'must be true or false')
    return or(name) === 'true'
  }
  const duration = (name: SettingName): number => {
    const value = parseDurationMs(or(name))
    if (value === null) say(name, 'must be a duration such as 200ms, 15s, 2m or 1h')
    return value ?? 0
  }
  const durations = (name: SettingName): number[] => {
    const values = or(name)
      .split(',')
      .map((each) => parseDurationMs(each.trim()))
    if (values.includes(null)) say(name, 'must be durations separated by commas, such as 30s,2m,10m,1h')
    return values.map((each) => each ?? 0)
  }
  const ports = (name: SettingName): [number, number] => {
    const [from = 0, to = 0] = /^(\d{1,5})-(\d{1,5})$/.exec(or(name))?.slice(1).map(Number) ?? []
    // RTP takes an even port, RTCP the next.
    if (!(from >= 1_024 && to <= 65_535 && to > from + (from % 2))) {
      say(name, 'must be two ports from 1024 to 65535 with room for a pair, such as 16384-32767')
    }
    return [from, to]
  }
  const url = (name: SettingName, fallback: string | undefined, protocols: string[]): string | undefined => {
    const value = text(name)
    if (value === undefined) return fallback
    const parsed = URL.canParse(value) ? new URL(value) : null
    if (!parsed || !protocols.includes(parsed.protocol)) {
      say(name, `must be an address starting with ${protocols.map((each) => `${each}//`).join(' or ')}`)
      return fallback
    }
    return value.replace(/\/+$/, '')
  }
  const oneOf = <T extends string>(name: SettingName, allowed: readonly T[]): T => {
    const value = or(name) as T
    if (!allowed.includes(value)) say(name, `must be one of ${allowed.join(', ')}`)
    return value
  }

  const host = or('HOST')
  const port = whole('PORT', 0, 65_535)
  const ownAddress = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const baseUrl = url('PARLEY_BASE_URL', ownAddress, ['http:', 'https:']) as string
  const databaseUrl = text('DATABASE_URL')
  // Not echoed: it holds a password.
  if (databaseUrl && !/^postgres(ql)?:\/\//.test(databaseUrl))
    problems.push('DATABASE_URL must start with postgres://.')
  const secretKey = text('PARLEY_SECRET_KEY')
  if (databaseUrl && !secretKey)
    problems.push('PARLEY_SECRET_KEY is required with DATABASE_URL: every node must share it.')
  if (secretKey && secretKey.length < 16) problems.push('PARLEY_SECRET_KEY must have at least 16 characters.')
  const roles = or('PARLEY_ROLES')
    .split(',')
    .map((each) => each.trim()) as NodeRole[]
  if (roles.some((each) => !nodeRoles.includes(each)))
    say('PARLEY_ROLES', `must be a comma list of ${nodeRoles.join(', ')}`)
  const caFile = text('PARLEY_WEBHOOK_CA_FILE')
  if (caFile && !existsSync(caFile)) say('PARLEY_WEBHOOK_CA_FILE', 'must name a file')
  const llmUrl = url('PARLEY_LLM_URL', undefined, ['http:', 'https:'])
  if (llmUrl && !text('PARLEY_LLM_MODEL')) problems.push('PARLEY_LLM_MODEL is required with PARLEY_LLM_URL.')

  const s3Endpoint = url('PARLEY_S3_ENDPOINT', undefined, ['http:', 'https:'])
  for (const name of ['PARLEY_S3_BUCKET', 'PARLEY_S3_ACCESS_KEY_ID', 'PARLEY_S3_SECRET_ACCESS_KEY'] as const) {
    if (s3Endpoint && !text(name)) problems.push(`${name} is required with PARLEY_S3_ENDPOINT.`)
  }

  const reader = { text, url, oneOf, problem: (each: string) => problems.push(each) }
  const config = {
    host,
    port,
    baseUrl,
    baseUrlIsOwn: text('PARLEY_BASE_URL') === undefined,
    dashboardUrl: url('PARLEY_DASHBOARD_URL', baseUrl, ['http:', 'https:']) as string,
    databaseUrl,
    dataDir: path.resolve(or('PARLEY_DATA_DIR')),
    secretKey,
    roles,
    nodeCapacity: whole('PARLEY_NODE_CAPACITY', 1, 100_000),
    callDelayMs: duration('PARLEY_CALL_DELAY'),
    webhooks: {
      retryDelaysMs: durations('PARLEY_WEBHOOK_RETRY_DELAYS'),
      timeoutMs: duration('PARLEY_WEBHOOK_TIMEOUT'),
      allowPrivate: truth('PARLEY_WEBHOOK_ALLOW_PRIVATE'),
      caFile,
    },
    rateLimitPerMinute: whole('PARLEY_RATE_LIMIT_PER_MINUTE', 1, 1_000_000_000),
    hookQuotas: {
      base: whole('PARLEY_HOOK_QUOTA_BASE', 0, 1_000_000_000),
      professional: whole('PARLEY_HOOK_QUOTA_PROFESSIONAL', 0, 1_000_000_000),
      enterprise: whole('PARLEY_HOOK_QUOTA_ENTERPRISE', 0, 1_000_000_000),
    },
    creditsPerMinute: whole('PARLEY_CREDITS_PER_MINUTE', 1, 1_000_000),
    simulatorSpeed: positive('PARLEY_SIMULATOR_SPEED', 1_000_000),
    simulatorDialLog: text('PARLEY_SIMULATOR_DIAL_LOG'),
    llm: llmUrl ? { url: llmUrl, key: text('PARLEY_LLM_KEY'), model: text('PARLEY_LLM_MODEL') ?? '' } : undefined,
    speech: parseSpeech(reader),
    twilio: parseTwilio(reader, baseUrl),
    s3: s3Endpoint
      ? {
          endpoint: s3Endpoint,
          bucket: text('PARLEY_S3_BUCKET') ?? '',
          region: or('PARLEY_S3_REGION'),
          accessKeyId: text('PARLEY_S3_ACCESS_KEY_ID') ?? '',
          secretAccessKey: text('PARLEY_S3_SECRET_ACCESS_KEY') ?? '',
        }
      : undefined,
    rtpPorts: ports('PARLEY_RTP_PORTS'),
    sip: parseSip({ ...reader, port: (name) => whole(name, 0, 65_535), truth }),
    demo: truth('PARLEY_DEMO'),
    logLevel: oneOf('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}
