import { parseConfig, readEnvironment } from '../config.ts'
import { OperatorError, ParleyError } from '../platform/errors.ts'
import { apply } from './apply.ts'
import { calendar } from './calendar.ts'
import type { Command } from './command.ts'
import { holidays } from './holidays.ts'
import { hook } from './hook.ts'
import { keys } from './keys.ts'
import { listen } from './listen.ts'
import { migrateCommand } from './migrate.ts'
import { share } from './share.ts'
import { start } from './start.ts'
import { trigger } from './trigger.ts'
import { webhooks } from './webhooks.ts'

const commands: Record<string, Command> = {
  start,
  apply,
  keys,
  holidays,
  hook,
  share,
  calendar,
  webhooks,
  listen,
  trigger,
  migrate: migrateCommand,
}

const usage = `Usage: parley COMMAND

${Object.values(commands)
  .flatMap((command) => command.usage)
  .map((line) => `  parley ${line}`)
  .join('\n')}

Settings are read from the environment and from a .env file; the README lists them.
`

async function run(words: string[]): Promise<number> {
  const [name = '', ...rest] = words
  const command = commands[name]
  if (!command) {
    const asked = name === 'help' || name === '--help' || name === '-h'
    ;(asked ? process.stdout : process.stderr).write(
      asked ? usage : `Unknown command ${JSON.stringify(name)}.\n${usage}`,
    )
    return asked ? 0 : 2
  }
  return command.run(rest, parseConfig(readEnvironment()))
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
function explain(error: unknown): string {
  if (error instanceof ParleyError && error.details.length > 0) {
    return error.details.map(({ field, message }) => `${field}: ${message}`).join('\n')
  }
  if (error instanceof OperatorError || error instanceof ParleyError) return error.message
  const { code = '', message = '', stack } = error as Partial<Error> & { code?: string }
  const cause = causes[code]
  if (cause) return cause.endsWith('.') ? cause : `${cause}: ${message}`
  return code.startsWith('ERR_PARSE_ARGS') ? `${message}\n${usage}` : String(stack ?? error)
}

run(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    process.stderr.write(`${explain(error)}\n`)
    process.exitCode = 1
  },
)
