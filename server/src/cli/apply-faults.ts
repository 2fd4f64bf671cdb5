import { isE164 } from '../calls/phone.ts'
import { parseDurationMs } from '../platform/duration.ts'
import { type Fault, fault } from '../platform/errors.ts'
import { parseInstant } from '../platform/instant.ts'
import { bodySchemas, toFault } from '../platform/schema-faults.ts'
import { isTimeZone } from '../platform/time-zone.ts'
import { ApplyFile } from './apply-file.ts'

const matches = bodySchemas.compile<ApplyFile>(ApplyFile)

/** All that is wrong with a file in itself, without asking anyone. */
export function readApplyFile(value: unknown): { file: ApplyFile; faults: Fault[] } {
  const file = value as ApplyFile
  if (!matches(value)) return { file, faults: (matches.errors ?? []).flatMap((each) => toFault(each, 'file')) }
  return {
    file,
    faults: [...organisationFaults(file), ...formatFaults(file), ...repeatFaults(file)],
  }
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
  file.branches?.forEach((each, i) => void want(`branches.${i}.timezone`, each.timezone, isTimeZone, zone))
  file.phone_numbers?.forEach((each, i) => void want(`phone_numbers.${i}.number`, each.number, isE164, phone))
  file.do_not_call?.forEach((each, i) => void want(`do_not_call.${i}`, each, isE164, phone))
  file.agents?.forEach((each, i) => {
    const isDuration = (text: string) => parseDurationMs(text) !== null
    want(`agents.${i}.retry.delay`, each.retry?.delay, isDuration, 'Write a duration such as 60s, 5m or 1h.')
  })
  file.api_keys?.forEach((each, i) => {
    const isTime = (text: string) => parseInstant(text) instanceof Date
    want(`api_keys.${i}.expires_at`, each.expires_at, isTime, 'Write a time such as 2027-01-31T00:00:00Z.')
  })
  return faults
}

/** Names are how a file's parts refer to each other, so each may stand once. */
function repeatFaults(file: ApplyFile): Fault[] {
  const faults: Fault[] = []
  const once = (field: string, names: string[] | undefined, what: string) => {
    names?.forEach((name, i) => {
      if (names.indexOf(name) < i) faults.push(fault(`${field}.${i}.${what}`, 'repeated', `${name} stands twice.`))
    })
  }
  const lower = file.users?.map((each) => each.email.toLowerCase())
  once('users', lower, 'email')
  once(
    'phone_numbers',
    file.phone_numbers?.map((each) => each.number),
    'number',
  )
  once(
    'agents',
    file.agents?.map((each) => each.name),
    'name',
  )
  once(
    'branches',
    file.branches?.map((each) => each.name),
    'name',
  )
  once(
    'services',
    file.services?.map((each) => each.name),
    'name',
  )
  return faults
}
