import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { findOrganisation, theOnlyOrganisation } from '../organisations/organisations.service.ts'
import { OperatorError } from '../platform/errors.ts'
import { openRuntime, type Runtime } from '../runtime.ts'

export type Command = { usage: string[]; run(words: string[], config: Config): Promise<number> }

/** A command that was given wrongly. */
export class CommandError extends OperatorError {
  override readonly name = 'CommandError'
}

/** Standard output holds only the result, so that a script can read it. */
export const printJson = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)

export async function withRuntime<T>(config: Config, work: (runtime: Runtime) => Promise<T>): Promise<T> {
  const onNotice = (text: string) => void process.stderr.write(`${text}\n`)
  const runtime = await openRuntime(config, { as: 'command', onNotice })
  try {
    return await work(runtime)
  } finally {
    await runtime.close('command')
  }
}

/** The organisation named by --organisation, or the only one there is. */
export async function chosenOrganisation(runtime: Runtime, organisationId: string | undefined): Promise<string> {
  if (organisationId !== undefined) {
    const found = await findOrganisation(runtime.db, organisationId)
    if (!found) throw new CommandError(`There is no organisation ${organisationId}.`)
    return found.organisationId
  }
  const only = await theOnlyOrganisation(runtime.db)
  if (only === 'none') throw new CommandError('There is no organisation yet. Make one with parley apply FILE.json.')
  if (only === 'several') throw new CommandError('There are several organisations: say which with --organisation org_…')
  return only.organisationId
}

/** Who did it, in the audit log. */
export const actor = 'command'

export type Asked<Options> = { organisationId: string; options: Options; words: string[]; config: Config }
export type Action<Options> = (runtime: Runtime, asked: Asked<Options>) => Promise<unknown>

/** A command whose first word says what to do in one organisation, and which prints what came of it. */
export const actingCommand = <Options>(parts: {
  usage: string[]
  options: NonNullable<ParseArgsConfig['options']>
  actions: Record<string, Action<Options>>
}): Command => ({
  usage: parts.usage,
  async run(args, config) {
    const options = { ...parts.options, organisation: { type: 'string' } } as const
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
    const [name = '', ...words] = positionals
    const action = Object.hasOwn(parts.actions, name) ? parts.actions[name] : undefined
    if (!action) throw new CommandError(`Say what to do:\n${parts.usage.map((line) => `  parley ${line}`).join('\n')}`)
    await withRuntime(config, async (runtime) => {
      const organisationId = await chosenOrganisation(runtime, values.organisation as string | undefined)
      printJson(await action(runtime, { organisationId, options: values as Options, words, config }))
    })
    return 0
  },
})

export function readLimit(text = '20'): number {
  if (!/^[1-9][0-9]?$|^100$/.test(text)) throw new CommandError('--limit takes a number from 1 to 100.')
  return Number(text)
}
