import { parseConfig, readEnvironment } from '../config.ts'
import { OperatorError, ParleyError } from '../platform/errors.ts'
import type { Command } from './command.ts'

// Each is loaded when it is asked for: a command that lists keys need not wait for a web server.
const commands: Record<string, () => Promise<Command>> = {
  start: async () => (await import('./start.ts')).start,
  apply: async () => (await import('./apply.ts')).apply,
  keys: async () => (await import('./keys.ts')).keys,
  trunk: async () => (await import('./trunk.ts')).trunk,
  holidays: async () => (await import('./holidays.ts')).holidays,
  hook: async () => (await import('./hook.ts')).hook,
  share: async () => (await import('./share.ts')).share,
  calendar: async () => (await import('./calendar.ts')).calendar,
  webhooks: async () => (await import('./webhooks.ts')).webhooks,
  listen: async () => (await import('./listen.ts')).listen,
  trigger: async () => (await import('./trigger.ts')).trigger,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
}

async function usage(): Promise<string> {
  const all = await Promise.all(Object.values(commands).map((load) => load()))
  const lines = all.flatMap((command) => command.usage).map((line) => `  parley ${line}`)
  return `Usage: parley COMMAND

${lines.join('\n')}

Settings are read from the environment and from a .env file; the README lists them.
`
}

async function run(words: string[]): Promise<number> {
  const [name = '', ...rest] = words
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (load) return (await load()).run(rest, parseConfig(readEnvironment()))
  if (['help', '--help', '-h'].includes(name)) {
    process.stdout.write(await usage())
    return 0
  }
  process.stderr.write(`Unknown command ${JSON.stringify(name)}.\n${await usage()}`)
  return 2
}

const causes: Record<string, string> = {
  EADDRINUSE: 'The port is taken: another program, or another Parley, listens there. Set PORT to a free one.',
  EADDRNOTAVAIL: 'HOST is not an address of this machine.',
  EACCES: 'Permission denied',
  ENOTFOUND: 'A host name in the settings is not known',
  '3D000': 'DATABASE_URL names a database that is not there. Create it first',
  '28P01': 'The PostgreSQL server refused the user or the password of DATABASE_URL.',
  '28000': 'The PostgreSQL server refused the user of DATABASE_URL.',
  '42501': 'The user of DATABASE_URL may not create tables in that database.',
}

/** An error a person can do something about is told in words; only a bug shows a stack. */
async function explain(error: unknown): Promise<string> {
  if (error instanceof ParleyError && error.details.length > 0) {
    return error.details.map(({ field, message }) => `${field}: ${message}`).join('\n')
  }
  if (error instanceof OperatorError || error instanceof ParleyError) return error.message
  const { code = '', message = '', stack } = error as Partial<Error> & { code?: string }
  const cause = causes[code]
  if (cause) return cause.endsWith('.') ? cause : `${cause}: ${message}`
  return code.startsWith('ERR_PARSE_ARGS') ? `${message}\n${await usage()}` : String(stack ?? error)
}

run(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  async (error: unknown) => {
    process.exitCode = 1
    process.stderr.write(`${await explain(error)}\n`)
  },
)
