import type { Queryable } from '../platform/db.ts'
import { insertGrant, selectBalance } from './credits.store.ts'

export const grantCredits = (tx: Queryable, organisationId: string, amount: number): Promise<void> =>
  insertGrant(tx, organisationId, amount)

export const creditBalance = (db: Queryable, organisationId: string): Promise<number> =>
  selectBalance(db, organisationId)
