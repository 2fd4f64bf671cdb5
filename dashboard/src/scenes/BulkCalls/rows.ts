// A row of a file as the request it becomes, and everything that is wrong with it, by the server's rules.
import { type AdditionalInfo, type CreateCallBody, languagePattern } from '@parley/contract/calls'
import { parseInstant } from '@parley/contract/instant'
import { infoLimits, lengthOf } from '../NewCall/call-form.ts'
import { checkNumber } from '../NewCall/phone.ts'
import type { CallField, Target } from './columns.ts'
import type { CsvRecord } from './csv.ts'

export interface CallRow {
  line: number
  number: string
  name: string
  body: CreateCallBody
  faults: string[]
  /** Odd, but no reason not to call. */
  notes: string[]
}

function timeFault(text: string, now: Date): string | null {
  const at = parseInstant(text)
  if (at === 'no_offset') return 'Time: say which zone is meant, with Z or an offset such as +05:30 at the end.'
  if (at === 'no_such_day') return 'Time: there is no such day.'
  if (at === 'format') return 'Time: write it like 2027-01-15T10:00:00+05:30.'
  const yearAhead = new Date(now)
  yearAhead.setUTCFullYear(now.getUTCFullYear() + 1)
  if (at <= now) return 'Time: it has passed.'
  return at > yearAhead ? 'Time: at most one year ahead.' : null
}

const isLanguage = (text: string): boolean => new RegExp(languagePattern).test(text) && text.length <= 35

function numberFault(text: string): string | null {
  const checked = checkNumber(text)
  if (checked.state === 'good') return null
  if (checked.state === 'empty') return 'Number: it is missing.'
  return `Number: ${checked.state === 'bad' ? checked.words : `too short. ${checked.hint}`}`
}

function infoFaults(info: AdditionalInfo): string[] {
  const entries = Object.entries(info)
  const long = ([key, value]: [string, unknown]) =>
    lengthOf(key) > infoLimits.keyLength || lengthOf(String(value)) > infoLimits.valueLength
  return [
    ...(entries.length > infoLimits.pairs ? [`At most ${infoLimits.pairs} other columns can be filled in.`] : []),
    ...entries
      .filter(long)
      .map(([key]) => `${key.slice(0, 40)}: a heading has at most 64 characters, a value at most 1,000.`),
    ...(Object.hasOwn(info, '__proto__') ? ['Use another heading than __proto__.'] : []),
  ]
}

export function toRow(
  { line, cells }: CsvRecord,
  targets: readonly Target[],
  { agentId, now }: { agentId: string; now: Date },
): CallRow {
  const fields: Partial<Record<CallField, string>> = {}
  const pairs: [string, string][] = []
  for (const [at, target] of targets.entries()) {
    const text = cells[at]?.trim() ?? ''
    if (text === '' || target.kind === 'skip') continue
    if (target.kind === 'field') fields[target.field] = text
    else pairs.push([target.key, text])
  }
  // Not by assignment: a heading may be __proto__.
  const info: AdditionalInfo = Object.fromEntries(pairs)
  const { user_number = '', user_name, user_email, user_preferred_language, scheduled_time } = fields
  const number = checkNumber(user_number)
  const surplus = cells.slice(targets.length).some((cell) => cell.trim() !== '')
  const faults = [
    numberFault(user_number),
    user_name !== undefined && lengthOf(user_name) > 200 ? 'Name: at most 200 characters.' : null,
    user_email !== undefined && (!/^[^\s@]+@[^\s@]+$/.test(user_email) || lengthOf(user_email) > 254)
      ? 'E-mail: this is no address.'
      : null,
    user_preferred_language !== undefined && !isLanguage(user_preferred_language)
      ? 'Language: a short code such as en or hi.'
      : null,
    scheduled_time === undefined ? null : timeFault(scheduled_time, now),
    ...infoFaults(info),
    surplus ? 'The row has more cells than the heading.' : null,
  ].filter((each) => each !== null)
  const dialled = number.state === 'good' ? number.number : user_number
  const body: CreateCallBody = {
    agent_id: agentId,
    user_number: dialled,
    ...(user_name === undefined ? {} : { user_name }),
    ...(user_email === undefined ? {} : { user_email }),
    ...(user_preferred_language === undefined ? {} : { user_preferred_language }),
    ...(pairs.length === 0 ? {} : { additional_info: info }),
    ...(scheduled_time === undefined ? {} : { scheduled_time }),
  }
  return { line, number: dialled, name: user_name ?? '', body, faults, notes: [] }
}

/** Somebody who is in the file twice is called twice: worth a word. */
export function noteRepeats(rows: readonly CallRow[]): CallRow[] {
  const first = new Map<string, number>()
  return rows.map((row) => {
    const before = first.get(row.number)
    if (before === undefined) {
      first.set(row.number, row.line)
      return row
    }
    return { ...row, notes: [`The same number as in line ${before}: it is called twice.`] }
  })
}
