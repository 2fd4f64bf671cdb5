import type { ErrorBody } from '@parley/contract/errors'
import { type HookAction, hookActions } from '@parley/contract/hooks'
import { isId } from '../platform/ids.ts'

/** What is kept of a request: enough to find out why it failed, nothing about the person it was about. */
export type HookRequestRecord = {
  requestId: string
  at: Date
  action: HookAction | null
  status: number
  code: string | null
  reason: string | null
  replayed: boolean
  callId: string | null
}

type Answered = { requestId: string; at: Date; status: number; text: string; replayed: boolean }

/** From the body as it was read and the very text that was answered: the two cannot disagree. */
export function recordOf(body: unknown, { text, ...answered }: Answered): HookRequestRecord {
  const { action, data } = asRecord(body)
  const answer = JSON.parse(text) as { data?: { call_id?: string }; error?: ErrorBody['error'] }
  const asked = asRecord(data).call_id
  return {
    ...answered,
    action: hookActions.find((each) => each === action) ?? null,
    code: answer.error?.code ?? null,
    reason: answer.error ? reasonOf(answer.error) : null,
    callId: answer.data?.call_id ?? (typeof asked === 'string' && isId('call', asked) ? asked : null),
  }
}

const mostFaults = 5

/** Messages are ours and quote no value; a field's name may be the sender's. */
function reasonOf({ message, details }: ErrorBody['error']): string {
  if (details.length === 0) return message
  const told = details.slice(0, mostFaults).map((each) => `${shownField(each.field)}: ${each.message}`)
  const rest = details.length - told.length
  return [...told, ...(rest > 0 ? [`and ${rest} more.`] : [])].join(' ')
}

/** A misspelt field must be seen to be mended, an address or a number used as a name must not be. */
export function shownField(field: string): string {
  const [, inside = '', name = ''] = /^(data\.)?(.*)$/s.exec(field) ?? []
  if (/^additional_info(\.|$)/.test(name)) return `${inside}additional_info`
  return /^[A-Za-z][A-Za-z0-9_-]{0,39}$/.test(name) && !/[0-9]{4}/.test(name) ? inside + name : `${inside}[field]`
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
