import { parseArgs } from 'node:util'
import { type EventType, eventTypeNames } from '@parley/contract/events'
import type { webhookParts } from '../main.ts'
import { CommandError } from './command.ts'

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const options = {
  organisation: text,
  url: text,
  events: text,
  description: text,
  signing: text,
  staged: flag,
  event: text,
  endpoint: text,
  status: text,
  limit: text,
  since: text,
  until: text,
  'dry-run': flag,
  cancel: flag,
} as const
export const parseWebhookOptions = (args: string[]) => parseArgs({ args, allowPositionals: true, options })
export type WebhookOptions = ReturnType<typeof parseWebhookOptions>['values']
type Parts = ReturnType<typeof webhookParts>
export type WebhookAction = (
  parts: Parts,
  organisationId: string,
  given: WebhookOptions,
  id: string,
) => Promise<unknown>

export function readEvents(text: string | undefined): (EventType | '*')[] | null {
  if (text === undefined) return null
  const words = text.split(',').map((each) => each.trim())
  const unknown = words.filter((each) => each !== '*' && !eventTypeNames.includes(each as EventType))
  if (unknown.length > 0) throw new CommandError(`Event types are "*" and: ${eventTypeNames.join(', ')}.`)
  return [...new Set(words)] as (EventType | '*')[]
}

/** For options that take exactly one type. */
export function readEvent(text: string | undefined): EventType | null {
  const [type = null, ...others] = readEvents(text) ?? []
  if (type === '*' || others.length > 0) throw new CommandError('--event takes one event type.')
  return type
}
