import { type Trunk, TrunkAnswer, TrunkBody, TrunkList, TrunkPatch, TrunkTestAnswer } from '@parley/contract/trunks'
import type { FastifyInstance } from 'fastify'
import { managers } from '../organisations/roles.ts'
import { bodyless } from '../platform/http-schemas.ts'
import type { TrunkRecord } from './trunk.ts'
import { addTrunk, changeTrunk, listTrunks, removeTrunk, type TrunkDeps, tryTrunk } from './trunks.service.ts'

export type TrunksRoutesDeps = TrunkDeps

type OneTrunk = { Params: { trunk_id: string } }
const base = '/api/trunks'
const one = `${base}/:trunk_id`

/** A password goes in and never comes out. */
const trunkView = (trunk: TrunkRecord): Trunk => ({
  trunk_id: trunk.trunkId,
  name: trunk.name,
  host: trunk.host,
  port: trunk.port,
  transport: trunk.transport,
  user: trunk.user,
  has_password: trunk.hasPassword,
  caller_id: trunk.callerId,
  register: trunk.register,
  srtp: trunk.srtp,
  inbound_addresses: trunk.inboundAddresses,
  max_concurrent: trunk.maxConcurrent,
  calls_per_second: trunk.callsPerSecond,
  numbers: trunk.numbers,
  created_at: trunk.createdAt.toISOString(),
  updated_at: trunk.updatedAt.toISOString(),
})

/** The dashboard's API for connections to carriers: for managers only, since they tell where calls go. */
export function trunksRoutes(app: FastifyInstance, deps: TrunksRoutesDeps): void {
  const config = { roles: managers }
  const withoutBody = { roles: managers, check: bodyless }
  const schema = (response: object, body?: object) => ({
    hide: true,
    ...(body ? { body } : {}),
    response: { '2xx': response },
  })

  app.get(base, { config, schema: schema(TrunkList) }, async ({ signedIn }) => ({
    success: true,
    data: (await listTrunks(deps.db, signedIn.organisation.organisationId)).map(trunkView),
  }))

  app.post<{ Body: TrunkBody }>(base, {
    config,
    schema: schema(TrunkAnswer, TrunkBody),
    handler: async ({ signedIn: { user, organisation }, body }, reply) => {
      const made = await addTrunk(deps, organisation.organisationId, body, user.userId)
      return reply.status(201).send({ success: true, data: trunkView(made) })
    },
  })

  app.patch<OneTrunk & { Body: TrunkPatch }>(one, {
    config,
    schema: schema(TrunkAnswer, TrunkPatch),
    handler: async ({ signedIn: { user, organisation }, params, body }) => ({
      success: true,
      data: trunkView(await changeTrunk(deps, organisation.organisationId, params.trunk_id, body, user.userId)),
    }),
  })

  app.delete<OneTrunk>(one, { config: withoutBody, schema: { hide: true } }, async ({ signedIn, params }) => {
    await removeTrunk(deps, signedIn.organisation.organisationId, params.trunk_id, signedIn.user.userId)
    return { success: true, data: { trunk_id: params.trunk_id, deleted: true } }
  })

  app.post<OneTrunk>(`${one}/test`, {
    config: withoutBody,
    schema: schema(TrunkTestAnswer),
    handler: async ({ signedIn, params }) => ({
      success: true,
      data: await tryTrunk(deps, signedIn.organisation.organisationId, params.trunk_id),
    }),
  })
}
