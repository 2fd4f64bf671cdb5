import { agentFaults, phoneNumberFaults } from '../agents/agent-rules.ts'
import { holidayFaults, type NewHoliday } from '../branches/holiday.ts'
import { type Fault, fault } from '../platform/errors.ts'
import { parseInstant } from '../platform/instant.ts'
import { isE164 } from '../platform/phone.ts'
import { bodySchemas, toFault } from '../platform/schema-faults.ts'
import { isTimeZone } from '../platform/time-zone.ts'
import { ApplyFile } from './apply-file.ts'

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

/** Every name the file gives to something, also to things that have faults: referring to them is no further fault. */
export function namesIn(value: unknown): Set<string> {
  const file = (value ?? {}) as Record<string, unknown>
  const items = ['trunks', 'phone_numbers', 'branches', 'services'].flatMap((list) =>
    Array.isArray(file[list]) ? (file[list] as unknown[]) : [],
  )
  return new Set(
    items
      .flatMap((item) => [(item as { name?: unknown } | null)?.name, (item as { number?: unknown } | null)?.number])
      .filter((each) => typeof each === 'string'),
  )
}

/** All that is wrong with a file in itself, without asking anyone; and the part of it that can be looked at further. */
export function readApplyFile(value: unknown): { file: ApplyFile; faults: Fault[] } {
  const shapeFaults = matches(value) ? [] : (matches.errors ?? []).flatMap((each) => toFault(each, 'file'))
  const file = wellFormedPart(value, shapeFaults)
  const faults = [...shapeFaults, ...organisationFaults(file), ...formatFaults(file), ...repeatFaults(file)]
  return { file, faults: [...new Map(faults.map((each) => [`${each.field} ${each.code}`, each])).values()] }
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

function organisationFaults({ organisation }: ApplyFile): Fault[] {
  if (organisation.organisation_id === undefined) {
    return organisation.name === undefined
      ? [
          fault(
            'organisation.name',
            'required',
            'Name the organisation, or give the organisation_id of one that exists.',
          ),
        ]
      : []
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

/** Texts that must be numbers, zones, durations or times. */
function formatFaults(file: ApplyFile): Fault[] {
  const faults: Fault[] = []
  const want = (field: string, value: string | undefined, ok: (text: string) => boolean, message: string) => {
    if (value !== undefined && !ok(value)) faults.push(fault(field, 'format', message))
  }
  const zone = 'Use an IANA time zone such as Asia/Kolkata.'
  const phone = 'Write the number in E.164, e.g. +15005550000.'
  want('organisation.timezone', file.organisation.timezone, isTimeZone, zone)
  file.branches?.forEach((each, i) => {
    want(`branches.${placeOf(each, i)}.timezone`, each.timezone, isTimeZone, zone)
    faults.push(...branchFaults(each, `branches.${placeOf(each, i)}.`))
  })
  file.phone_numbers?.forEach((each, i) => {
    faults.push(...phoneNumberFaults(each, `phone_numbers.${placeOf(each, i)}.`))
  })
  file.do_not_call?.forEach((each, i) => void want(`do_not_call.${i}`, each, isE164, phone))
  file.agents?.forEach((each, i) => {
    faults.push(...agentFaults(each, `agents.${placeOf(each, i)}.`))
  })
  file.api_keys?.forEach((each, i) => {
    const isTime = (text: string) => parseInstant(text) instanceof Date
    want(
      `api_keys.${placeOf(each, i)}.expires_at`,
      each.expires_at,
      isTime,
      'Write a time such as 2027-01-31T00:00:00Z.',
    )
  })
  return faults
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
function repeatFaults(file: ApplyFile): Fault[] {
  const faults: Fault[] = []
  const once = (field: string, items: object[] | undefined, what: string) => {
    const names = items?.map((item) => String((item as Record<string, unknown>)[what]).toLowerCase()) ?? []
    for (const [i, item] of (items ?? []).entries()) {
      if (names.indexOf(names[i] ?? '') === i) continue
      const name = String((item as Record<string, unknown>)[what])
      faults.push(fault(`${field}.${placeOf(item, i)}.${what}`, 'repeated', `${name} stands twice.`))
    }
  }
  once('users', file.users, 'email')
  once('trunks', file.trunks, 'name')
  once('phone_numbers', file.phone_numbers, 'number')
  once('agents', file.agents, 'name')
  once('branches', file.branches, 'name')
  once('services', file.services, 'name')
  return faults
}
