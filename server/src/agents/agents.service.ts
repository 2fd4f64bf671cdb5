import type { Queryable } from '../platform/db.ts'
import { isId, newId } from '../platform/ids.ts'
import type { NewAgent, NewPhoneNumber } from './agent.ts'
import {
  agentExists,
  insertAgent,
  insertPhoneNumber,
  selectAgentNames,
  selectPhoneNumbers,
  selectTakenRealNumbers,
} from './agents.store.ts'

export async function createPhoneNumber(
  tx: Queryable,
  organisationId: string,
  phoneNumber: NewPhoneNumber,
): Promise<string> {
  const phoneNumberId = newId('phoneNumber')
  await insertPhoneNumber(tx, organisationId, phoneNumberId, phoneNumber)
  return phoneNumberId
}

export async function createAgent(tx: Queryable, organisationId: string, agent: NewAgent): Promise<string> {
  const agentId = newId('agent')
  await insertAgent(tx, organisationId, agentId, agent)
  return agentId
}

export const isAgentOf = async (db: Queryable, organisationId: string, agentId: string): Promise<boolean> =>
  isId('agent', agentId) && agentExists(db, organisationId, agentId)

/** Numbers to ids. */
export const listPhoneNumbers = selectPhoneNumbers
export const listAgentNames = selectAgentNames
export const takenRealNumbers = selectTakenRealNumbers
