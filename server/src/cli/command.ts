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
