import type { PhoneNumberBody } from '@parley/contract/agents'
import { recordAudit } from '../platform/audit.ts'
import { brokenUniqueness, type Database, type Queryable } from '../platform/db.ts'
import { fault, ParleyError, validationError } from '../platform/errors.ts'
import { isId } from '../platform/ids.ts'
import type { PhoneNumber } from './agent.ts'
import { numberWithDefaults } from './agent-rules.ts'
import { selectNumbers, updateMaxConcurrent } from './agent-views.store.ts'
import { createPhoneNumber } from './agents.service.ts'

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
  try {
    return await db.transaction(async (tx) => {
      const phoneNumberId = await createPhoneNumber(tx, organisationId, wanted)
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
