import { parseArgs } from 'node:util'
import { listTrunks, openTrunk } from '../agents/trunks.service.ts'
import type { Config } from '../config.ts'
import { trunkTester } from '../main.ts'
import { createLog } from '../platform/log.ts'
import type { Runtime } from '../runtime.ts'
import { type Command, CommandError, chosenOrganisation, printJson, withRuntime } from './command.ts'

const usage = ['trunk list [--organisation ID]', 'trunk test NAME [--organisation ID]']

/** `parley trunk …`: the connections to carriers, and whether one of them works. Ends with 1 when it does not. */
export const trunk: Command = {
  usage,
  async run(args, config) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { organisation: { type: 'string' } },
    })
    const [action, ...names] = positionals
    const isList = action === 'list' && names.length === 0
    if (!isList && !(action === 'test' && names.length === 1))
      throw new CommandError(`Say what to do:\n${usage.map((line) => `  parley ${line}`).join('\n')}`)
    return withRuntime(config, async (runtime) => {
      const organisationId = await chosenOrganisation(runtime, values.organisation)
      return isList ? list(runtime, organisationId) : test(runtime, config, organisationId, names[0] ?? '')
    })
  },
}

async function list({ db }: Runtime, organisationId: string): Promise<number> {
  const trunks = await listTrunks(db, organisationId)
  printJson(
    trunks.map((each) => ({
      trunk_id: each.trunkId,
      name: each.name,
      host: each.host,
      port: each.port,
      transport: each.transport,
      user: each.user,
      register: each.register,
      srtp: each.srtp,
      max_concurrent: each.maxConcurrent,
      calls_per_second: each.callsPerSecond,
      numbers: each.numbers,
    })),
  )
  return 0
}

async function test(runtime: Runtime, config: Config, organisationId: string, name: string): Promise<number> {
  const found = (await listTrunks(runtime.db, organisationId)).find((each) => each.name === name)
  const opened = found && (await openTrunk(runtime, organisationId, found.trunkId))
  if (!opened) throw new CommandError(`There is no trunk ${JSON.stringify(name)}. parley trunk list names them.`)
  const { ok, steps, seen_as: seenAs } = await trunkTester(config, createLog('silent'))(opened)
  const lines = steps.map((each) => `${each.ok ? '✓' : '✗'} ${each.words}`)
  if (seenAs) lines.push(`  The carrier sees us as ${seenAs}.`)
  process.stdout.write(`${lines.join('\n')}\n`)
  return ok ? 0 : 1
}
