import type { PhoneNumberBody } from '@parley/contract/agents'
import { recordAudit } from '../platform/audit.ts'
import { brokenUniqueness, type Database, type Queryable } from '../platform/db.ts'
import { fault, ParleyError, validationError } from '../platform/errors.ts'
import { isId } from '../platform/ids.ts'
import type { PhoneNumber } from './agent.ts'
import { numberWithDefaults } from './agent-rules.ts'
import { selectNumbers, updateMaxConcurrent } from './agent-views.store.ts'
import { createPhoneNumber } from './agents.service.ts'
import { listTrunks } from './trunks.service.ts'

export const listNumbers = (db: Queryable, organisationId: string): Promise<PhoneNumber[]> =>
  selectNumbers(db, organisationId)

const noSuchNumber = () => new ParleyError('NOT_FOUND', 'There is no such phone number.')

async function getNumber(db: Queryable, organisationId: string, phoneNumberId: string): Promise<PhoneNumber> {
  const [number] = isId('phoneNumber', phoneNumberId) ? await selectNumbers(db, organisationId, phoneNumberId) : []
  if (!number) throw noSuchNumber()
  return number
}

/** `carriers`: those this server has a connection to. */
export async function addNumber(
  db: Database,
  organisationId: string,
  { body, carriers, actor }: { body: PhoneNumberBody; carriers: readonly string[]; actor: string },
): Promise<PhoneNumber> {
  const wanted = numberWithDefaults(body)
  if (!carriers.includes(wanted.carrier)) {
    const message = `This server has no connection to this carrier. It has: ${carriers.join(', ')}.`
    throw validationError([fault('carrier', 'not_available', message)])
  }
  const trunkId = await trunkFor(db, organisationId, wanted.carrier, body.trunk_id)
  try {
    return await db.transaction(async (tx) => {
      const phoneNumberId = await createPhoneNumber(tx, organisationId, { ...wanted, trunkId })
      await recordAudit(tx, { organisationId, actor, action: 'number.added', resourceId: phoneNumberId })
      return getNumber(tx, organisationId, phoneNumberId)
    })
  } catch (error) {
    // Whose it is, nobody needs to know.
    if (brokenUniqueness(error)?.startsWith('phone_numbers'))
      throw validationError([fault('number', 'exists', 'This number is in use already.')])
    throw error
  }
}

/** A number of the carrier sip is reached through a trunk of its own organisation; others through none. */
async function trunkFor(db: Queryable, organisationId: string, carrier: string, trunkId: string | undefined) {
  if (carrier !== 'sip') {
    if (trunkId === undefined) return null
    throw validationError([fault('trunk_id', 'not_allowed', 'Only numbers of the carrier sip have a trunk.')])
  }
  const trunks = await listTrunks(db, organisationId)
  if (trunkId !== undefined && trunks.some((each) => each.trunkId === trunkId)) return trunkId
  throw validationError([
    fault('trunk_id', 'not_found', 'Name one of your trunks: a sip number is reached through it.'),
  ])
}

export const changeNumber = (
  db: Database,
  organisationId: string,
  { phoneNumberId, maxConcurrent, actor }: { phoneNumberId: string; maxConcurrent: number; actor: string },
): Promise<PhoneNumber> =>
  db.transaction(async (tx) => {
    const found =
      isId('phoneNumber', phoneNumberId) &&
      (await updateMaxConcurrent(tx, organisationId, phoneNumberId, maxConcurrent))
    if (!found) throw noSuchNumber()
    await recordAudit(tx, { organisationId, actor, action: 'number.changed', resourceId: phoneNumberId })
    return getNumber(tx, organisationId, phoneNumberId)
  })
