// The filters of the list: as they stand in the address, and as the server is asked.
import type { CallStatus } from '@parley/contract/calls'
import type { Query } from '../../api.ts'
import { instantOf, nextDate } from '../../zoned-time.ts'
import { dispositionWords, statuses } from './call-words.ts'

export type Search = Record<string, string>
export const filterNames = ['status', 'agent', 'outcome', 'direction', 'from', 'to', 'q'] as const
export type FilterName = (typeof filterNames)[number]
export type Filters = Partial<Record<FilterName, string>>

const datePattern = /^\d{4}-\d{2}-\d{2}$/
const isOk: Record<FilterName, (value: string) => boolean> = {
  status: (value) => value.split(',').every((each) => statuses.includes(each as CallStatus)),
  agent: (value) => /^agt_[0-9a-f]{32}$/.test(value),
  outcome: (value) => value in dispositionWords,
  direction: (value) => value === 'outbound' || value === 'inbound',
  from: (value) => datePattern.test(value) && !Number.isNaN(Date.parse(value)),
  to: (value) => datePattern.test(value) && !Number.isNaN(Date.parse(value)),
  q: (value) => value.trim() !== '' && value.length <= 200,
}

/** What somebody wrote into the address and is no filter is left out. */
export const readFilters = (search: Search): Filters =>
  Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = search[name]
      return value !== undefined && isOk[name](value) ? [[name, value]] : []
    }),
  )

const startOf = (date: string | undefined, zone: string): string | undefined =>
  date === undefined ? undefined : instantOf({ date, time: '00:00' }, zone)?.toISOString()

/** Days are days of the organisation's zone; the last one counts whole. */
export const toQuery = (filters: Filters, zone: string): Query => ({
  status: filters.status,
  agent_id: filters.agent,
  disposition: filters.outcome,
  direction: filters.direction,
  created_from: startOf(filters.from, zone),
  created_to: filters.to === undefined ? undefined : startOf(nextDate(filters.to), zone),
  q: filters.q?.trim(),
})

/** One state on or off. */
export function toggleStatus(current: string | undefined, status: CallStatus): string | undefined {
  const chosen = new Set(current?.split(',') ?? [])
  if (!chosen.delete(status)) chosen.add(status)
  return statuses.filter((each) => chosen.has(each)).join(',') || undefined
}
