import { agentFaults, phoneNumberFaults } from '../agents/agent-rules.ts'
import { holidayFaults, type NewHoliday } from '../branches/holiday.ts'
import { type Fault, fault, onePerField } from '../platform/errors.ts'
import { parseInstant } from '../platform/instant.ts'
import { oddFaults } from '../platform/odd-values.ts'
import { isE164 } from '../platform/phone.ts'
import { bodySchemas, toFault } from '../platform/schema-faults.ts'
import { isTimeZone } from '../platform/time-zone.ts'
import { ApplyFile } from './apply-file.ts'
import { roughItems } from './apply-references.ts'

const matches = bodySchemas.compile<ApplyFile>(ApplyFile)

const lists = [
  'users',
  'trunks',
  'phone_numbers',
  'agents',
  'branches',
  'services',
  'windows',
  'do_not_call',
  'api_keys',
  'webhook_endpoints',
] as const

/** Where an item stood in the file; items with faults are left out of the lists. */
const placeInFile = new WeakMap<object, number>()
export const placeOf = (item: unknown, fallback: number): number =>
  (typeof item === 'object' && item !== null ? placeInFile.get(item) : undefined) ?? fallback

/** All that is wrong with a file in itself, without asking anyone; and the part of it that can be looked at further. */
export function readApplyFile(value: unknown): { file: ApplyFile; faults: Fault[] } {
  const ofShape = matches(value) ? [] : (matches.errors ?? []).flatMap((each) => toFault(each, 'file'))
  const shapeFaults = [...ofShape, ...oddFaults(value)]
  const file = wellFormedPart(value, shapeFaults)
  const faults = [
    ...shapeFaults,
    ...organisationFaults(asObject(asObject(value).organisation)),
    ...formatFaults(value),
    ...(file.branches ?? []).flatMap((each, i) => branchFaults(each, `branches.${placeOf(each, i)}.`)),
    ...repeatFaults(value),
  ]
  return { file, faults: onePerField(faults) }
}

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

function wellFormedPart(value: unknown, faults: Fault[]): ApplyFile {
  const given = asObject(value)
  const isFaulty = (place: string) => faults.some(({ field }) => field === place || field.startsWith(`${place}.`))
  const organisation = Object.entries(asObject(given.organisation)).filter(
    ([name]) => !isFaulty(`organisation.${name}`),
  )
  const kept: Record<string, unknown> = { organisation: Object.fromEntries(organisation) }
  for (const list of lists) {
    if (!Array.isArray(given[list])) continue
    kept[list] = (given[list] as unknown[]).filter((item, i) => {
      if (typeof item === 'object' && item !== null) placeInFile.set(item, i)
      return !isFaulty(`${list}.${i}`)
    })
  }
  return kept as ApplyFile
}

function organisationFaults(organisation: Record<string, unknown>): Fault[] {
  if (organisation.organisation_id === undefined) {
    const message = 'Name the organisation, or give the organisation_id of one that exists.'
    return organisation.name === undefined ? [fault('organisation.name', 'required', message)] : []
  }
  const { organisation_id: _id, credits: _credits, ...rest } = organisation
  return Object.keys(rest).map((name) =>
    fault(
      `organisation.${name}`,
      'not_allowed',
      'With organisation_id, things are added; the organisation itself stays.',
    ),
  )
}

/** Texts that must be numbers, zones, durations or times; also in items that have other faults. */
function formatFaults(value: unknown): Fault[] {
  const want = (field: string, text: unknown, ok: (text: string) => boolean, message: string): Fault[] =>
    typeof text === 'string' && !ok(text) ? [fault(field, 'format', message)] : []
  const zone = (item: Record<string, unknown>, at: string) =>
    want(`${at}.timezone`, item.timezone, isTimeZone, 'Use an IANA time zone such as Asia/Kolkata.')
  const isTime = (text: string) => parseInstant(text) instanceof Date
  const doNotCall = asObject(value).do_not_call
  return [
    ...zone(asObject(asObject(value).organisation), 'organisation'),
    ...roughItems(value, 'branches').flatMap(({ item, at }) => zone(item, at)),
    ...roughItems(value, 'phone_numbers').flatMap(({ item, at }) => phoneNumberFaults(item, `${at}.`)),
    ...roughItems(value, 'agents').flatMap(({ item, at }) => agentFaults(item, `${at}.`)),
    ...(Array.isArray(doNotCall) ? doNotCall : []).flatMap((each: unknown, i) =>
      want(`do_not_call.${i}`, each, isE164, 'Write the number in E.164, e.g. +15005550000.'),
    ),
    ...roughItems(value, 'api_keys').flatMap(({ item, at }) =>
      want(`${at}.expires_at`, item.expires_at, isTime, 'Write a time such as 2027-01-31T00:00:00Z.'),
    ),
  ]
}

type BranchInFile = NonNullable<ApplyFile['branches']>[number]

function branchFaults({ session_hours: hours = {}, holidays = [] }: BranchInFile, at: string): Fault[] {
  const early = Object.entries(hours).filter(([, each]) => each && each.start >= each.end)
  return [
    ...early.map(([name]) => fault(`${at}session_hours.${name}`, 'order', 'The start must be before the end.')),
    ...holidays.flatMap((each, i) => {
      const place = `${at}holidays.${i}.`
      if (each.closed !== undefined && each.closed === (each.hours !== undefined))
        return [fault(`${place}closed`, 'contradicts', 'Closed days have no hours; open ones need some.')]
      return holidayFaults(toHoliday(each), place)
    }),
  ]
}

export const toHoliday = (each: NonNullable<BranchInFile['holidays']>[number]): NewHoliday => ({
  startDate: each.start_date,
  endDate: each.end_date,
  reason: each.reason ?? null,
  hours: each.hours ?? null,
})

/** Names are how a file's parts refer to each other, so each may stand once. */
function repeatFaults(value: unknown): Fault[] {
  const once = (list: string, what: string) => {
    const seen = new Set<string>()
    return roughItems(value, list).flatMap(({ item, at }) => {
      const name = item[what]
      if (typeof name !== 'string') return []
      if (seen.has(name.toLowerCase())) return [fault(`${at}.${what}`, 'repeated', `${name} stands twice.`)]
      seen.add(name.toLowerCase())
      return []
    })
  }
  return [
    ...once('users', 'email'),
    ...once('phone_numbers', 'number'),
    ...['trunks', 'agents', 'branches', 'services'].flatMap((list) => once(list, 'name')),
  ]
}
