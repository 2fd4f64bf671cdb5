import { type Static, type TSchema, Type } from 'typebox'
import { AdditionalInfo, languagePattern, Name as PersonName } from './calls.ts'
import { closed, Nullable, OneOf, Timestamp } from './common.ts'

/** Agents and phone numbers: the rules of their fields, and the dashboard's API for them. */

export const agentTypes = ['outbound', 'inbound'] as const
export type AgentType = (typeof agentTypes)[number]
export const carriers = ['simulator', 'sip', 'twilio'] as const
export type Carrier = (typeof carriers)[number]
export const retryReasons = ['no_answer', 'busy', 'carrier_error', 'voicemail'] as const
export type RetryReason = (typeof retryReasons)[number]
export const voicemailActions = ['hang_up', 'leave_message'] as const
export type VoicemailAction = (typeof voicemailActions)[number]

const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)
const answer = <T extends TSchema>(data: T) => Type.Object({ success: Type.Literal(true), data })

/** The same fields with the same limits in `parley apply` and in the dashboard. */
export const agentLimits = { name: 200, text: 20_000, attempts: 10 } as const
const Text = Type.String({ maxLength: agentLimits.text })
const Retry = Type.Object(
  {
    max_attempts: optional(Type.Integer({ minimum: 1, maximum: agentLimits.attempts })),
    delay: optional(Type.String({ description: 'A duration such as 60s, 5m or 1h.' })),
    on: optional(Type.Array(OneOf(retryReasons))),
  },
  closed,
)
const Voicemail = Type.Object(
  {
    action: OneOf(voicemailActions, { description: 'What is done about a machine that answers.' }),
    message: optional(Type.String({ minLength: 1, maxLength: 2_000, description: 'Left after the tone.' })),
  },
  closed,
)
export const AgentFields = {
  name: Type.String({ minLength: 1, maxLength: agentLimits.name }),
  type: optional(OneOf(agentTypes)),
  language: optional(Type.String({ minLength: 1, maxLength: 35, pattern: languagePattern })),
  prompt: optional(Text),
  greeting: optional(Text),
  retry: optional(Retry),
  voicemail: optional(Voicemail),
  transfer_to: optional(
    Nullable(
      Type.String({ description: 'Whom people are put through to who ask for a human, in E.164; null: nobody.' }),
    ),
  ),
}
export const PhoneNumberFields = {
  number: Type.String(),
  carrier: optional(OneOf(carriers)),
  max_concurrent: optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
}

const places = {
  number: optional(Nullable(Type.String({ description: "One of the organisation's numbers; null: none." }))),
  branch_id: optional(Nullable(Type.String({ description: 'null: no branch.' }))),
}
export const AgentBody = Type.Object({ ...AgentFields, ...places }, closed)
export type AgentBody = Static<typeof AgentBody>
export const AgentPatch = Type.Object(
  { ...AgentFields, name: optional(AgentFields.name), ...places, archived: optional(Type.Boolean()) },
  { ...closed, minProperties: 1 },
)
export type AgentPatch = Static<typeof AgentPatch>

export const Agent = Type.Object({
  agent_id: Type.String(),
  name: Type.String(),
  type: OneOf(agentTypes),
  language: Type.String(),
  prompt: Type.String(),
  greeting: Type.String(),
  placeholders: Type.Array(Type.String(), { description: 'What prompt and greeting ask for, in order, each once.' }),
  phone_number_id: Nullable(Type.String()),
  number: Nullable(Type.String()),
  carrier: Nullable(OneOf(carriers)),
  branch_id: Nullable(Type.String()),
  branch_name: Nullable(Type.String()),
  retry: Type.Object({
    max_attempts: Type.Integer(),
    delay: Type.String(),
    delay_seconds: Type.Number(),
    on: Type.Array(OneOf(retryReasons)),
  }),
  voicemail: Type.Object({ action: OneOf(voicemailActions), message: Nullable(Type.String()) }),
  transfer_to: Nullable(Type.String()),
  archived_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Agent = Static<typeof Agent>
export const AgentList = answer(Type.Array(Agent))
export const AgentAnswer = answer(Agent)
export const ListAgentsQuery = Type.Object(
  { archived: optional(OneOf(['include', 'exclude'], { description: 'Archived ones are left out by default.' })) },
  closed,
)
export type ListAgentsQuery = Static<typeof ListAgentsQuery>

export const PhoneNumber = Type.Object({
  phone_number_id: Type.String(),
  number: Type.String(),
  carrier: OneOf(carriers),
  max_concurrent: Type.Integer(),
  trunk_id: Nullable(Type.String({ description: 'How a number of the carrier sip is reached.' })),
  in_the_air: Type.Integer({ description: 'Calls on this number at this moment.' }),
  agents: Type.Array(Type.Object({ agent_id: Type.String(), name: Type.String() })),
  created_at: Timestamp,
})
export type PhoneNumber = Static<typeof PhoneNumber>
export const PhoneNumberList = answer(Type.Array(PhoneNumber))
export const PhoneNumberAnswer = answer(PhoneNumber)
export const PhoneNumberBody = Type.Object(
  {
    ...PhoneNumberFields,
    trunk_id: optional(Type.String({ description: 'Needed with the carrier sip, and only there.' })),
  },
  closed,
)
export type PhoneNumberBody = Static<typeof PhoneNumberBody>
export const PhoneNumberPatch = Type.Object({ max_concurrent: Type.Integer({ minimum: 1, maximum: 10_000 }) }, closed)
export type PhoneNumberPatch = Static<typeof PhoneNumberPatch>

/** What this server can do; the dashboard offers no more. */
export const AgentChoices = answer(
  Type.Object({
    carriers: Type.Array(OneOf(carriers)),
    types: Type.Array(OneOf(agentTypes)),
    retry_reasons: Type.Array(OneOf(retryReasons)),
    limits: Type.Object({ name: Type.Integer(), text: Type.Integer(), attempts: Type.Integer() }),
  }),
)
export type AgentChoices = Static<typeof AgentChoices>['data']

/** Whom the simulator plays, by the end of the number dialled (decisions 4). */
export const characters = {
  '0001': 'Answers and books the first open appointment',
  '0002': 'Is busy',
  '0003': 'Never answers',
  '0004': 'Has an invalid number',
  '0005': 'Cannot be reached: carrier error',
  '0006': 'Has voicemail',
  '0007': 'Asks to be called back in one hour',
  '0008': 'Is not interested',
  '0009': 'Asks for a human',
  '0010': 'Hangs up half way',
  '0011': 'Answers and stays silent',
  '0012': 'Loses the line in the middle',
  '0100': 'An ordinary person who answers and talks',
} as const
export type Character = keyof typeof characters
export const characterNames = Object.keys(characters) as Character[]

export const TryAgentBody = Type.Object(
  {
    character: Type.Unsafe<Character>({ type: 'string', enum: characterNames }),
    user_name: optional(PersonName),
    additional_info: optional(AdditionalInfo),
  },
  closed,
)
export type TryAgentBody = Static<typeof TryAgentBody>
