import { type NewTrunk, trunkFaults } from '../agents/trunk.ts'
import { createTrunk, listTrunks, toNewTrunk } from '../agents/trunks.service.ts'
import { type Fault, fault } from '../platform/errors.ts'
import { type ApplyContext, inOrder, refuse } from './apply-changes.ts'
import type { ApplyFile } from './apply-file.ts'
import { roughItems } from './apply-references.ts'

/** Names to ids, those that were there and those that are new. A password is never printed. */
export async function applyTrunks(context: ApplyContext, trunks: ApplyFile['trunks'] = []) {
  const ids = new Map((await listTrunks(context.tx, context.organisationId)).map((each) => [each.name, each.trunkId]))
  const printed = await inOrder(trunks, async (each, i) => {
    if (ids.has(each.name)) return refuse(context, `trunks.${i}.name`, each.name)
    const trunk: NewTrunk = toNewTrunk(each)
    const faults = trunkFaults({ ...trunk, hasPassword: trunk.password !== null }, `trunks.${i}.`)
    if (faults.length > 0) {
      context.faults.push(...faults)
      return null
    }
    const trunkId = await createTrunk(context, context.organisationId, trunk)
    ids.set(each.name, trunkId)
    return { name: each.name, trunk_id: trunkId }
  })
  return { ids, printed }
}

/** Only a number of a SIP carrier has a trunk. It may come later: until then nobody can be called from it (decisions 9). */
export const trunkOfNumberFaults = (file: unknown): Fault[] =>
  roughItems(file, 'phone_numbers').flatMap(({ item, at }) =>
    item.carrier !== 'sip' && item.trunk !== undefined
      ? [fault(`${at}.trunk`, 'not_allowed', 'Only a number of the carrier sip has a trunk.')]
      : [],
  )
