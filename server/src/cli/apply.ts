import { readFileSync } from 'node:fs'
import { listPhoneNumbers } from '../agents/agents.service.ts'
import { listTrunks } from '../agents/trunks.service.ts'
import { listBranchNames } from '../branches/branches.service.ts'
import type { Config } from '../config.ts'
import { inboundUrl } from '../organisations/organisations.service.ts'
import { brokenUniqueness, type Transaction } from '../platform/db.ts'
import { type Fault, fault, onePerField } from '../platform/errors.ts'
import { refusalOfWebhookUrl, resolveAll } from '../platform/safe-url.ts'
import type { Runtime } from '../runtime.ts'
import { addressRulesOf } from '../webhooks/endpoints.service.ts'
import {
  type ApplyContext,
  applyAgents,
  applyApiKeys,
  applyBranches,
  applyCredits,
  applyDoNotCall,
  applyEndpoints,
  applyOrganisation,
  applyPhoneNumbers,
  applyServices,
  applyUsers,
} from './apply-changes.ts'
import { placeOf, readApplyFile } from './apply-faults.ts'
import type { ApplyFile } from './apply-file.ts'
import { namesIn, referenceFaults, roughItems } from './apply-references.ts'
import { applyTrunks, trunkOfNumberFaults } from './apply-trunks.ts'
import { applyWindows } from './apply-windows.ts'
import { type Command, CommandError, printJson, withRuntime } from './command.ts'

/** A file with a fault changes nothing; this carries every fault found out of the transaction. */
class ApplyRefused extends CommandError {
  constructor(found: Fault[]) {
    const faults = onePerField(found)
    const lines = faults.map((each) => `  ${each.field}: ${each.message}`)
    super(
      `Nothing was changed. The file has ${faults.length} fault${faults.length === 1 ? '' : 's'}:\n${lines.join('\n')}`,
    )
  }
}

export const apply: Command = {
  usage: ['apply FILE.json            make what the file lists; print ids and one-time secrets'],
  async run([path, ...rest], config) {
    if (path === undefined || rest.length > 0)
      throw new CommandError('Say which file: parley apply FILE.json (- for standard input)')
    const value = readJson(path)
    const { file, faults } = readApplyFile(value)
    const known = { faults, whole: value }
    await withRuntime(config, async (runtime) => printJson(await applyFile(runtime, file, config, known)))
    return 0
  },
}

function readJson(path: string): unknown {
  let text: string
  try {
    text = readFileSync(path === '-' ? 0 : path, 'utf8')
  } catch (error) {
    throw new CommandError(`The file cannot be read: ${(error as Error).message}`)
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ApplyRefused([fault('file', 'malformed_json', `This is not valid JSON: ${(error as Error).message}`)])
  }
}

type Addresses = Pick<Config, 'baseUrl' | 'dashboardUrl' | 'webhooks'>

/** `whole` is the file as written, of which `file` is the well-formed part. One transaction for all of it. Prints, in file order, every id and every one-time secret. */
export async function applyFile(
  runtime: Pick<Runtime, 'db' | 'vault'>,
  file: ApplyFile,
  config: Addresses,
  { faults: ofFile, whole }: { faults: Fault[]; whole: unknown } = { faults: [], whole: file },
) {
  const faults = [...ofFile, ...trunkOfNumberFaults(whole), ...(await endpointFaults(whole, config))]
  const { organisation } = file
  if (organisation.name === undefined && organisation.organisation_id === undefined)
    throw new ApplyRefused([...faults, ...referenceFaults(whole, nothing)])
  const work = async (tx: Transaction) => {
    const target = await applyOrganisation({ tx, vault: runtime.vault }, file)
    if (!target)
      throw new ApplyRefused([
        fault('organisation.organisation_id', 'not_found', 'There is no such organisation.'),
        ...faults,
      ])
    const { organisationId, timezone, inbound } = target
    faults.push(...referenceFaults(whole, await namesOf(tx, organisationId)))
    const context: ApplyContext = { tx, vault: runtime.vault, organisationId, faults, named: namesIn(whole).services }
    await applyCredits(context, file)
    const users = await applyUsers(context, file.users)
    const trunks = await applyTrunks(context, file.trunks)
    const numbers = await applyPhoneNumbers(context, file.phone_numbers, trunks.ids)
    const branches = await applyBranches(context, file.branches, timezone)
    const services = await applyServices(context, file.services, branches.ids)
    const agents = await applyAgents(context, file.agents, numbers.ids, branches.ids)
    const windows = await applyWindows(context, file.windows, branches.ids)
    await applyDoNotCall(context, file.do_not_call)
    const apiKeys = await applyApiKeys(context, file.api_keys)
    const endpoints = await applyEndpoints(context, file.webhook_endpoints)
    if (context.faults.length > 0) throw new ApplyRefused(context.faults)
    return {
      organisation: {
        organisation_id: organisationId,
        // An existing organisation's token is stored as a hash only: nobody can print it again.
        inbound: {
          url: inbound && inboundUrl(config.baseUrl, inbound.token),
          token: inbound?.token ?? null,
          signing_secret: inbound?.signingSecret ?? null,
        },
      },
      users,
      trunks: trunks.printed,
      phone_numbers: numbers.printed,
      agents,
      branches: branches.printed,
      services,
      windows,
      api_keys: apiKeys,
      webhook_endpoints: endpoints,
    }
  }
  try {
    return await runtime.db.transaction(work)
  } catch (error) {
    const constraint = brokenUniqueness(error)
    if (constraint === null) throw error
    throw new ApplyRefused(raceFaults(constraint, file))
  }
}

const nothing = { trunks: new Set<string>(), numbers: new Set<string>(), branches: new Set<string>() }

const namesOf = async (tx: Transaction, organisationId: string) => ({
  trunks: new Set((await listTrunks(tx, organisationId)).map((each) => each.name)),
  numbers: new Set((await listPhoneNumbers(tx, organisationId)).keys()),
  branches: new Set((await listBranchNames(tx, organisationId)).keys()),
})

/** Looked for and not found, then inserted: somebody else was quicker in between. */
function raceFaults(constraint: string, file: ApplyFile): Fault[] {
  const message = 'Somebody else added this at the same moment. Run the file again.'
  const list = /^(users|trunks|phone_numbers|agents|branches|services)/.exec(constraint)?.[1] ?? 'file'
  if (list !== 'phone_numbers') return [fault(list, 'exists', message)]
  const numbers = [...(file.phone_numbers ?? []).entries()]
  return numbers.map(([i, each]) => fault(`phone_numbers.${placeOf(each, i)}.number`, 'exists', message))
}

async function endpointFaults(file: unknown, config: Addresses): Promise<Fault[]> {
  const options = { ...addressRulesOf(config), resolve: resolveAll }
  const found = await Promise.all(
    roughItems(file, 'webhook_endpoints').map(async ({ item, at }) => {
      const refusal = typeof item.url === 'string' ? await refusalOfWebhookUrl(item.url, options) : null
      return refusal ? [fault(`${at}.url`, refusal.code, refusal.message)] : []
    }),
  )
  return found.flat()
}
