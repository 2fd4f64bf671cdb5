import { numberWithDefaults, withDefaults } from '../agents/agent-rules.ts'
import {
  createAgent,
  createPhoneNumber,
  listAgentNames,
  listPhoneNumbers,
  takenRealNumbers,
} from '../agents/agents.service.ts'
import { createApiKey } from '../api-keys/api-keys.service.ts'
import { usualHours } from '../branches/branch.ts'
import { createBranch, createService, listBranchNames, listServiceNames } from '../branches/branches.service.ts'
import { holidayFaults } from '../branches/holiday.ts'
import { addHoliday } from '../branches/holidays.service.ts'
import { addDoNotCall } from '../calls/do-not-call.service.ts'
import { grantCredits } from '../credits/credits.service.ts'
import type { InboundSecrets } from '../organisations/organisation.ts'
import { createOrganisation, findOrganisation } from '../organisations/organisations.service.ts'
import { createUser, listEmails } from '../organisations/users.service.ts'
import type { Queryable, Transaction } from '../platform/db.ts'
import { type Fault, fault, ParleyError } from '../platform/errors.ts'
import { parseInstant } from '../platform/instant.ts'
import { randomToken, type Vault } from '../platform/secrets.ts'
import { createEndpoint } from '../webhooks/endpoints.service.ts'
import { placeOf, toHoliday } from './apply-faults.ts'
import type { ApplyFile } from './apply-file.ts'

/** `named`: services the file names; a reference to one of them is right even where the service itself has a fault. */
export type ApplyContext = {
  tx: Transaction
  vault: Vault
  organisationId: string
  faults: Fault[]
  named: Set<string>
}

/** Finds or makes the organisation everything else goes into. Null when there is none of that id. */
export async function applyOrganisation(
  { tx, vault }: { tx: Queryable; vault: Vault },
  { organisation }: ApplyFile,
): Promise<{ organisationId: string; timezone: string; inbound: InboundSecrets | null } | null> {
  const timezone = organisation.timezone ?? 'UTC'
  if (organisation.organisation_id !== undefined) {
    const found = await findOrganisation(tx, organisation.organisation_id)
    return found && { organisationId: found.organisationId, timezone: found.timezone, inbound: null }
  }
  const created = await createOrganisation(
    { tx, vault },
    {
      name: organisation.name ?? '',
      plan: organisation.plan ?? 'base',
      timezone,
      publicShare: {
        enabled: organisation.public_share?.enabled ?? false,
        expiry: organisation.public_share?.expiry ?? null,
      },
      inboundSigning: organisation.inbound?.signing ?? false,
    },
  )
  return { ...created, timezone }
}

export async function applyCredits({ tx, organisationId }: ApplyContext, { organisation }: ApplyFile): Promise<void> {
  if (organisation.credits) await grantCredits(tx, organisationId, organisation.credits)
}

export async function applyUsers(context: ApplyContext, users: ApplyFile['users'] = []) {
  const known = new Set((await listEmails(context.tx, context.organisationId)).map((each) => each.toLowerCase()))
  return inOrder(users, async (user, i) => {
    if (known.has(user.email.toLowerCase())) return refuse(context, `users.${i}.email`, user.email)
    const role = user.role ?? 'staff'
    const password = user.password ?? randomToken(12)
    known.add(user.email.toLowerCase())
    const userId = await createUser(context.tx, context.organisationId, { email: user.email, password, role })
    return { email: user.email, user_id: userId, role, ...(user.password === undefined ? { password } : {}) }
  })
}

/** Numbers to ids, those that were there and those that are new. */
export async function applyPhoneNumbers(
  context: ApplyContext,
  numbers: ApplyFile['phone_numbers'] = [],
  trunkIds: Map<string, string>,
) {
  const ids = await listPhoneNumbers(context.tx, context.organisationId)
  const real = numbers.filter((each) => (each.carrier ?? 'simulator') !== 'simulator').map((each) => each.number)
  const taken = await takenRealNumbers(context.tx, real)
  const printed = await inOrder(numbers, async (each, i) => {
    const isTaken = real.includes(each.number) && taken.includes(each.number)
    if (ids.has(each.number) || isTaken) return refuse(context, `phone_numbers.${i}.number`, each.number)
    const phoneNumberId = await createPhoneNumber(context.tx, context.organisationId, {
      ...numberWithDefaults(each),
      trunkId: lookUp(trunkIds, each.trunk),
    })
    ids.set(each.number, phoneNumberId)
    return { number: each.number, phone_number_id: phoneNumberId }
  })
  return { ids, printed }
}

export async function applyBranches(context: ApplyContext, branches: ApplyFile['branches'] = [], timezone: string) {
  const ids = await listBranchNames(context.tx, context.organisationId)
  const printed = await inOrder(branches, async (each, i) => {
    if (ids.has(each.name)) return refuse(context, `branches.${i}.name`, each.name)
    const sessionHours = { ...usualHours, ...each.session_hours }
    const branch = { name: each.name, timezone: each.timezone ?? timezone, sessionHours }
    const branchId = await createBranch(context.tx, context.organisationId, branch)
    ids.set(each.name, branchId)
    const holidays = (each.holidays ?? []).map(toHoliday)
    // One with a fault is named already, and nothing of the file will stand.
    const sound = holidays.filter((holiday) => holidayFaults(holiday, '').length === 0)
    for (const holiday of sound) await addHoliday(context.tx, context.organisationId, branchId, holiday)
    return { name: each.name, branch_id: branchId }
  })
  return { ids, printed }
}

export async function applyServices(
  context: ApplyContext,
  services: ApplyFile['services'] = [],
  branchIds: Map<string, string>,
) {
  const known = await listServiceNames(context.tx, context.organisationId)
  return inOrder(services, async (each, i) => {
    if (known.includes(each.name)) return refuse(context, `services.${i}.name`, each.name)
    const ids = (each.branches ?? []).map((name) => lookUp(branchIds, name))
    if (ids.includes(null)) return null
    known.push(each.name)
    const appointmentTypeId = await createService(context.tx, context.organisationId, {
      name: each.name,
      durationMinutes: each.duration_minutes ?? 30,
      branchIds: [...new Set(ids as string[])],
    })
    return { name: each.name, appointment_type_id: appointmentTypeId }
  })
}

export async function applyAgents(
  context: ApplyContext,
  agents: ApplyFile['agents'] = [],
  numberIds: Map<string, string>,
  branchIds: Map<string, string>,
) {
  const known = await listAgentNames(context.tx, context.organisationId)
  return inOrder(agents, async (each, i) => {
    if (known.includes(each.name)) return refuse(context, `agents.${i}.name`, each.name)
    known.push(each.name)
    const agentId = await createAgent(context.tx, context.organisationId, {
      ...withDefaults(each),
      phoneNumberId: lookUp(numberIds, each.number),
      branchId: lookUp(branchIds, each.branch),
    })
    return { name: each.name, agent_id: agentId }
  })
}

export async function applyDoNotCall({ tx, organisationId }: ApplyContext, numbers: string[] = []): Promise<void> {
  await addDoNotCall(tx, organisationId, [...new Set(numbers)])
}

export const applyApiKeys = (context: ApplyContext, keys: ApplyFile['api_keys'] = []) =>
  inOrder(keys, (each, i) =>
    withinPlan(context, `api_keys.${i}`, async () => {
      const expiry = parseInstant(each.expires_at ?? '')
      const expiresAt = expiry instanceof Date ? expiry : null
      const created = await createApiKey(context.tx, context.organisationId, {
        name: each.name,
        scopes: each.scopes ?? ['*'],
        expiresAt,
      })
      return { name: each.name, key_id: created.keyId, key: created.key }
    }),
  )

export const applyEndpoints = (context: ApplyContext, endpoints: ApplyFile['webhook_endpoints'] = []) =>
  inOrder(endpoints, (each, i) =>
    withinPlan(context, `webhook_endpoints.${i}`, async () => {
      const created = await createEndpoint(context, context.organisationId, {
        url: each.url,
        description: each.description ?? null,
        events: each.events ?? ['*'],
        signing: each.signing ?? true,
      })
      return { url: each.url, endpoint_id: created.endpointId, secret: created.secret }
    }),
  )

export async function inOrder<Item, Result>(items: Item[], each: (item: Item, index: number) => Promise<Result>) {
  const results: Result[] = []
  for (const [index, item] of items.entries()) results.push(await each(item, placeOf(item, index)))
  return results
}

/** A plan's limit is a fault of the file like any other; the transaction goes on to find the rest. */
async function withinPlan<T>(context: ApplyContext, field: string, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error
    context.faults.push(fault(field, error.code.toLowerCase(), error.message))
    return null
  }
}

export function refuse(context: ApplyContext, field: string, name: string): null {
  // One that stands twice in the file has been named already.
  if (!context.faults.some((each) => each.field === field))
    context.faults.push(fault(field, 'exists', `${name} exists already.`))
  return null
}

/** What refers to nothing has been named already (`referenceFaults`). */
export const lookUp = (ids: Map<string, string>, name: string | undefined): string | null =>
  (name === undefined ? undefined : ids.get(name)) ?? null
