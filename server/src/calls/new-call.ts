import type { AdditionalInfo, CreateCallBody } from '@parley/contract/calls'
import { type Fault, fault } from '../platform/errors.ts'
import { parseInstant } from '../platform/instant.ts'
import type { CallSource, NewCall } from './call.ts'

const aliases = [
  ['user_number', 'contact_number'],
  ['user_name', 'contact_name'],
  ['user_email', 'contact_email'],
  ['user_preferred_language', 'contact_preferred_language'],
] as const

/** The rules of §4.1 a schema cannot say. Takes any object, so its faults join the schema's in one answer. */
export function newCallFaults(body: Record<string, unknown>, now: Date, naming: 'user' | 'contact' = 'user'): Fault[] {
  const faults: Fault[] = []
  for (const [name, alias] of aliases) {
    if (body[name] === undefined || body[alias] === undefined) continue
    faults.push(fault(alias, 'both_names', `Send ${name} or ${alias}, not both.`))
  }
  if (body.user_number === undefined && body.contact_number === undefined) {
    faults.push(fault(`${naming}_number`, 'required', 'This field is required.'))
  }
  faults.push(...scheduledTimeFaults(body.scheduled_time, now), ...numberFaults(body.additional_info))
  return faults
}

function scheduledTimeFaults(value: unknown, now: Date): Fault[] {
  if (typeof value !== 'string') return []
  const say = (code: string, message: string) => [fault('scheduled_time', code, message)]
  const instant = parseInstant(value)
  if (instant === 'no_offset') {
    return say('no_offset', 'Say which zone is meant: end the time in Z or in an offset such as +05:30.')
  }
  if (instant === 'no_such_day') return say('format', 'There is no such day in the calendar: check the date.')
  if (instant === 'format') {
    return say('format', 'Write the time in ISO 8601 with Z or an offset, e.g. 2027-01-15T10:00:00+05:30.')
  }
  if (instant <= now) return say('not_in_future', 'The time must be in the future.')
  const yearAhead = new Date(now)
  yearAhead.setUTCFullYear(now.getUTCFullYear() + 1)
  if (instant > yearAhead) return say('too_far', 'The time must be at most one year ahead.')
  return []
}

/** JSON.parse has rounded a larger integer already: an order number would reach the agent changed. */
function numberFaults(info: unknown): Fault[] {
  if (typeof info !== 'object' || info === null) return []
  return Object.entries(info)
    .filter(([, value]) => Number.isInteger(value) && !Number.isSafeInteger(value))
    .map(([key]) =>
      fault(
        `additional_info.${key}`.slice(0, 200),
        'not_exact',
        'A number this large is not exact: send it as a string.',
      ),
    )
}

export const numberOf = (body: CreateCallBody): string => body.user_number ?? body.contact_number ?? ''

/** From a body without faults, whose number can be called. */
export const toNewCall = (body: CreateCallBody, source: CallSource): NewCall => ({
  agentId: body.agent_id,
  contactNumber: numberOf(body),
  contactName: body.user_name ?? body.contact_name ?? null,
  contactEmail: body.user_email ?? body.contact_email ?? null,
  preferredLanguage: body.user_preferred_language ?? body.contact_preferred_language ?? null,
  additionalInfo: (body.additional_info as AdditionalInfo | undefined) ?? null,
  scheduledAt: body.scheduled_time === undefined ? null : (parseInstant(body.scheduled_time) as Date),
  source,
})
