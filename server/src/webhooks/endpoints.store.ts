import type { EventType } from '@parley/contract/events'
import type { Queryable } from '../platform/db.ts'

export type EndpointToInsert = {
  endpointId: string
  organisationId: string
  url: string
  description: string | null
  events: (EventType | '*')[]
  signing: boolean
  sealedSecret: Buffer
}

export async function insertEndpoint(tx: Queryable, endpoint: EndpointToInsert): Promise<void> {
  await tx.query(
    `insert into webhook_endpoints (endpoint_id, organisation_id, url, description, events, signing, secret)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      endpoint.endpointId,
      endpoint.organisationId,
      endpoint.url,
      endpoint.description,
      endpoint.events,
      endpoint.signing,
      endpoint.sealedSecret,
    ],
  )
}

export async function countEndpoints(tx: Queryable, organisationId: string): Promise<number> {
  const [row] = await tx.query<{ count: string }>('select count(*) from webhook_endpoints where organisation_id = $1', [
    organisationId,
  ])
  return Number(row?.count ?? 0)
}
