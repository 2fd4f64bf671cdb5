import type { Role } from '@parley/contract/common'
import type { Queryable } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'
import { hashPassword } from './passwords.ts'
import { insertUser, selectEmails } from './users.store.ts'

export type NewUser = { email: string; password: string; role: Role }

export async function createUser(tx: Queryable, organisationId: string, user: NewUser): Promise<string> {
  const userId = newId('user')
  const passwordHash = await hashPassword(user.password)
  await insertUser(tx, { userId, organisationId, email: user.email, role: user.role }, passwordHash)
  return userId
}

export const listEmails = selectEmails
