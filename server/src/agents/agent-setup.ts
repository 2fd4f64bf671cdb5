import type { AgentBody, AgentPatch } from '@parley/contract/agents'
import { findBranch } from '../branches/branches.service.ts'
import { recordAudit } from '../platform/audit.ts'
import { brokenUniqueness, type Database, type Queryable } from '../platform/db.ts'
import { type Fault, fault, ParleyError, validationError } from '../platform/errors.ts'
import { isId } from '../platform/ids.ts'
import type { Agent } from './agent.ts'
import { changed, withDefaults } from './agent-rules.ts'
import { lockAgent, selectAgents, updateAgent } from './agent-views.store.ts'
import { createAgent, listPhoneNumbers } from './agents.service.ts'

export const listAgents = (db: Queryable, organisationId: string, withArchived: boolean): Promise<Agent[]> =>
  selectAgents(db, organisationId, { withArchived })

export async function getAgent(db: Queryable, organisationId: string, agentId: string): Promise<Agent> {
  const [agent] = isId('agent', agentId) ? await selectAgents(db, organisationId, { agentId }) : []
  if (!agent) throw new ParleyError('NOT_FOUND', 'There is no such agent.')
  return agent
}

type Places = { number?: string | null; branch_id?: string | null }

/** Number and branch as ids of ours; undefined where nothing was said. Another organisation's are like none at all. */
async function findPlaces(tx: Queryable, organisationId: string, { number, branch_id: branchId }: Places) {
  const faults: Fault[] = []
  const numbers = typeof number === 'string' ? await listPhoneNumbers(tx, organisationId) : new Map<string, string>()
  const phoneNumberId = typeof number === 'string' ? numbers.get(number) : number
  if (typeof number === 'string' && phoneNumberId === undefined)
    faults.push(fault('number', 'not_found', 'This is none of your numbers.'))
  if (typeof branchId === 'string' && !(await findBranch(tx, organisationId, branchId)))
    faults.push(fault('branch_id', 'not_found', 'There is no branch with this id.'))
  if (faults.length > 0) throw validationError(faults)
  return { phoneNumberId, branchId }
}

const nameTaken = () => validationError([fault('name', 'exists', 'Another agent has this name.')])

async function naming<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (brokenUniqueness(error) === 'agents_name') throw nameTaken()
    throw error
  }
}

export const addAgent = (db: Database, organisationId: string, body: AgentBody, actor: string): Promise<Agent> =>
  naming(
    db.transaction(async (tx) => {
      const { phoneNumberId = null, branchId = null } = await findPlaces(tx, organisationId, body)
      const agentId = await createAgent(tx, organisationId, { ...withDefaults(body), phoneNumberId, branchId })
      await recordAudit(tx, { organisationId, actor, action: 'agent.created', resourceId: agentId })
      return getAgent(tx, organisationId, agentId)
    }),
  )

/** Calls that are being dialled keep what they were dialled with; the next ones get the new words. */
export const changeAgent = (
  db: Database,
  organisationId: string,
  { agentId, patch, actor }: { agentId: string; patch: AgentPatch; actor: string },
): Promise<Agent> =>
  naming(
    db.transaction(async (tx) => {
      if (isId('agent', agentId)) await lockAgent(tx, organisationId, agentId)
      const agent = await getAgent(tx, organisationId, agentId)
      const isArchived = patch.archived ?? agent.archivedAt !== null
      if (isArchived && typeof patch.number === 'string')
        throw validationError([fault('number', 'archived', 'An archived agent has no number. Restore it first.')])
      const places = await findPlaces(tx, organisationId, patch)
      const { phoneNumberId = agent.phoneNumberId, branchId = agent.branchId } = places
      await updateAgent(tx, organisationId, agentId, {
        ...changed(agent, patch),
        // Without a number nobody can place a call with it: that is what being put away means.
        phoneNumberId: isArchived ? null : phoneNumberId,
        branchId,
        isArchived,
      })
      const action = actionOf(patch)
      await recordAudit(tx, { organisationId, actor, action, resourceId: agentId })
      return getAgent(tx, organisationId, agentId)
    }),
  )

function actionOf({ archived }: AgentPatch): string {
  if (archived === undefined) return 'agent.changed'
  return archived ? 'agent.archived' : 'agent.restored'
}
