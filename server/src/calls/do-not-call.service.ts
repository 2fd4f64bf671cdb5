import type { Queryable } from '../platform/db.ts'
import { insertDoNotCall } from './do-not-call.store.ts'

export const addDoNotCall = async (tx: Queryable, organisationId: string, numbers: string[]): Promise<void> => {
  await insertDoNotCall(tx, organisationId, numbers)
}
