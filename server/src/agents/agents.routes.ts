import {
  AgentAnswer,
  AgentBody,
  AgentChoices,
  AgentList,
  AgentPatch,
  type Agent as AgentView,
  agentLimits,
  agentTypes,
  carriers,
  ListAgentsQuery,
  PhoneNumberAnswer,
  PhoneNumberBody,
  PhoneNumberList,
  PhoneNumberPatch,
  type PhoneNumber as PhoneNumberView,
  retryReasons,
} from '@parley/contract/agents'
import { placeholdersIn } from '@parley/contract/placeholders'
import type { FastifyInstance } from 'fastify'
import { everyone, managers } from '../organisations/roles.ts'
import type { Database } from '../platform/db.ts'
import { durationText } from '../platform/duration.ts'
import type { Agent, PhoneNumber } from './agent.ts'
import { agentFaults, phoneNumberFaults } from './agent-rules.ts'
import { addAgent, changeAgent, getAgent, listAgents } from './agent-setup.ts'
import { addNumber, changeNumber, listNumbers } from './number-setup.ts'

/** `telephony`: one entry for each carrier there is a connection to. */
export type AgentsRoutesDeps = { db: Database; telephony: Partial<Record<string, object>> }

const agentView = (agent: Agent): AgentView => ({
  agent_id: agent.agentId,
  name: agent.name,
  type: agent.type,
  language: agent.language,
  prompt: agent.prompt,
  greeting: agent.greeting,
  placeholders: placeholdersIn(agent.greeting, agent.prompt),
  phone_number_id: agent.phoneNumberId,
  number: agent.number,
  carrier: agent.carrier,
  branch_id: agent.branchId,
  branch_name: agent.branchName,
  retry: {
    max_attempts: agent.retry.maxAttempts,
    delay: durationText(agent.retry.delayMs),
    delay_seconds: agent.retry.delayMs / 1_000,
    on: agent.retry.on,
  },
  voicemail: agent.voicemail,
  transfer_to: agent.transferTo,
  archived_at: agent.archivedAt?.toISOString() ?? null,
  created_at: agent.createdAt.toISOString(),
  updated_at: agent.updatedAt.toISOString(),
})

const numberView = (number: PhoneNumber): PhoneNumberView => ({
  phone_number_id: number.phoneNumberId,
  number: number.number,
  carrier: number.carrier,
  max_concurrent: number.maxConcurrent,
  trunk_id: number.trunkId,
  in_the_air: number.inTheAir,
  agents: number.agents.map(({ agentId, name }) => ({ agent_id: agentId, name })),
  created_at: number.createdAt.toISOString(),
})

const schema = (response: object, body?: object) => ({
  hide: true,
  ...(body ? { body } : {}),
  response: { '2xx': response },
})
const read = { roles: everyone }

type OneAgent = { Params: { agent_id: string } }
type OneNumber = { Params: { phone_number_id: string } }

export function agentsRoutes(app: FastifyInstance, deps: AgentsRoutesDeps): void {
  const { db } = deps
  const write = { roles: managers, check: ({ body }: { body: Record<string, unknown> }) => agentFaults(body) }

  app.get<{ Querystring: ListAgentsQuery }>('/api/agents', {
    config: read,
    schema: { ...schema(AgentList), querystring: ListAgentsQuery },
    handler: async ({ signedIn, query }) => ({
      success: true,
      data: (await listAgents(db, signedIn.organisation.organisationId, query.archived === 'include')).map(agentView),
    }),
  })

  app.get('/api/agents/choices', { config: read, schema: schema(AgentChoices) }, async () => ({
    success: true,
    data: { carriers: carriersOf(deps), types: agentTypes, retry_reasons: retryReasons, limits: agentLimits },
  }))

  app.get<OneAgent>('/api/agents/:agent_id', {
    config: read,
    schema: schema(AgentAnswer),
    handler: async ({ signedIn, params }) => ({
      success: true,
      data: agentView(await getAgent(db, signedIn.organisation.organisationId, params.agent_id)),
    }),
  })

  app.post<{ Body: AgentBody }>('/api/agents', {
    config: write,
    schema: schema(AgentAnswer, AgentBody),
    handler: async ({ signedIn: { user, organisation }, body }, reply) => {
      const agent = await addAgent(db, organisation.organisationId, body, user.userId)
      return reply.status(201).send({ success: true, data: agentView(agent) })
    },
  })

  app.patch<OneAgent & { Body: AgentPatch }>('/api/agents/:agent_id', {
    config: write,
    schema: schema(AgentAnswer, AgentPatch),
    handler: async ({ signedIn: { user, organisation }, params, body }) => {
      const change = { agentId: params.agent_id, patch: body, actor: user.userId }
      return { success: true, data: agentView(await changeAgent(db, organisation.organisationId, change)) }
    },
  })
  numberRoutes(app, deps)
}

const carriersOf = ({ telephony }: AgentsRoutesDeps) => carriers.filter((each) => telephony[each] !== undefined)

function numberRoutes(app: FastifyInstance, deps: AgentsRoutesDeps): void {
  const { db } = deps

  app.get('/api/numbers', { config: read, schema: schema(PhoneNumberList) }, async ({ signedIn }) => ({
    success: true,
    data: (await listNumbers(db, signedIn.organisation.organisationId)).map(numberView),
  }))

  app.post<{ Body: PhoneNumberBody }>('/api/numbers', {
    config: { roles: managers, check: ({ body }) => phoneNumberFaults(body) },
    schema: schema(PhoneNumberAnswer, PhoneNumberBody),
    handler: async ({ signedIn: { user, organisation }, body }, reply) => {
      const wanted = { body, carriers: carriersOf(deps), actor: user.userId }
      const number = await addNumber(db, organisation.organisationId, wanted)
      return reply.status(201).send({ success: true, data: numberView(number) })
    },
  })

  app.patch<OneNumber & { Body: PhoneNumberPatch }>('/api/numbers/:phone_number_id', {
    config: { roles: managers },
    schema: schema(PhoneNumberAnswer, PhoneNumberPatch),
    handler: async ({ signedIn: { user, organisation }, params, body }) => {
      const change = { phoneNumberId: params.phone_number_id, maxConcurrent: body.max_concurrent, actor: user.userId }
      return { success: true, data: numberView(await changeNumber(db, organisation.organisationId, change)) }
    },
  })
}
