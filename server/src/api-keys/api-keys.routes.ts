import {
  ApiKeyAnswer,
  ApiKeyBody,
  ApiKeysAnswer,
  type ApiKey as ApiKeyView,
  CreatedApiKeyAnswer,
} from '@parley/contract/api-keys'
import type { FastifyInstance } from 'fastify'
import { everyone, managers } from '../organisations/roles.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db.ts'
import { bodyless } from '../platform/http-schemas.ts'
import { parseInstant } from '../platform/instant.ts'
import type { ApiKey } from './api-key.ts'
import { issueKey, keysOf, newKeyFaults, withdrawKey } from './manage-keys.ts'

export type ApiKeysRoutesDeps = { db: Database; clock: Clock }

function statusOf({ revokedAt, expiresAt }: ApiKey, now: Date): ApiKeyView['status'] {
  if (revokedAt) return 'revoked'
  return expiresAt && expiresAt <= now ? 'expired' : 'active'
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

const view = (key: ApiKey, now: Date): ApiKeyView => ({
  key_id: key.keyId,
  name: key.name,
  hint: key.hint,
  scopes: key.scopes,
  status: statusOf(key, now),
  created_at: key.createdAt.toISOString(),
  expires_at: iso(key.expiresAt),
  revoked_at: iso(key.revokedAt),
  last_used_at: iso(key.lastUsedAt),
})

/** The dashboard's API for keys: who may do what, made and ended here. */
export function apiKeysRoutes(app: FastifyInstance, { db, clock }: ApiKeysRoutesDeps): void {
  const schema = (response: object, body?: object) => ({
    hide: true,
    ...(body ? { body } : {}),
    response: { '2xx': response },
  })

  app.get('/api/keys', { config: { roles: everyone }, schema: schema(ApiKeysAnswer) }, async ({ signedIn }) => {
    const { keys, ...counts } = await keysOf(db, signedIn.organisation)
    const now = clock.now()
    return { success: true, data: { ...counts, keys: keys.map((key) => view(key, now)) } }
  })

  app.post<{ Body: ApiKeyBody }>('/api/keys', {
    config: { roles: managers, check: ({ body }, now) => newKeyFaults(body, now) },
    schema: schema(CreatedApiKeyAnswer, ApiKeyBody),
    handler: async ({ signedIn: { user, organisation }, body: { name, scopes, expires_at = null } }, reply) => {
      const expiresAt = expires_at === null ? null : (parseInstant(expires_at) as Date)
      const made = { name: name.trim(), scopes, expiresAt }
      const { apiKey, text } = await issueKey(db, organisation.organisationId, made, user.userId)
      return reply.status(201).send({ success: true, data: { ...view(apiKey, clock.now()), key: text } })
    },
  })

  app.post<{ Params: { key_id: string } }>('/api/keys/:key_id/revoke', {
    config: { roles: managers, check: bodyless },
    schema: schema(ApiKeyAnswer),
    handler: async ({ signedIn: { user, organisation }, params: { key_id } }) => {
      const revoked = await withdrawKey(db, organisation.organisationId, key_id, user.userId)
      return { success: true, data: view(revoked, clock.now()) }
    },
  })
}
