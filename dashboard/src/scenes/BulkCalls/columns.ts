// What each column of a file is: found by its heading, changed by hand where that guessed wrong.
export const callFields = [
  'user_number',
  'user_name',
  'user_email',
  'user_preferred_language',
  'scheduled_time',
] as const
export type CallField = (typeof callFields)[number]
export type Target = { kind: 'field'; field: CallField } | { kind: 'info'; key: string } | { kind: 'skip' }

export const fieldLabels: Record<CallField, string> = {
  user_number: 'Phone number',
  user_name: 'Name',
  user_email: 'E-mail',
  user_preferred_language: 'Language',
  scheduled_time: 'Time of the call',
}

const aliases: Record<string, CallField> = {
  user_number: 'user_number',
  contact_number: 'user_number',
  number: 'user_number',
  phone: 'user_number',
  phone_number: 'user_number',
  mobile: 'user_number',
  user_name: 'user_name',
  contact_name: 'user_name',
  name: 'user_name',
  user_email: 'user_email',
  contact_email: 'user_email',
  email: 'user_email',
  e_mail: 'user_email',
  user_preferred_language: 'user_preferred_language',
  contact_preferred_language: 'user_preferred_language',
  preferred_language: 'user_preferred_language',
  language: 'user_preferred_language',
  scheduled_time: 'scheduled_time',
  scheduled_at: 'scheduled_time',
}

const plain = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[\s.-]+/g, '_')

/** The first column of a name takes the field; another of the same kind is told to the agent under its own heading. */
export function targetsOf(headings: readonly string[]): Target[] {
  const taken = new Set<CallField>()
  return headings.map((heading) => {
    const field = aliases[plain(heading)]
    if (field && !taken.has(field)) {
      taken.add(field)
      return { kind: 'field', field }
    }
    return heading.trim() === '' ? { kind: 'skip' } : { kind: 'info', key: heading.trim() }
  })
}

/** As a value of a select. */
export const targetValue = (target: Target): string =>
  target.kind === 'field' ? target.field : target.kind === 'info' ? 'info' : 'skip'

export function targetFrom(value: string, heading: string): Target {
  const field = callFields.find((each) => each === value)
  if (field) return { kind: 'field', field }
  return value === 'info' && heading.trim() !== '' ? { kind: 'info', key: heading.trim() } : { kind: 'skip' }
}

/** What is wrong with the columns as a whole. */
export function columnFault(targets: readonly Target[]): string | null {
  const names = targets.flatMap((each) =>
    each.kind === 'field' ? [each.field] : each.kind === 'info' ? [each.key] : [],
  )
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) {
    const label = callFields.find((each) => each === twice)
    return `Two columns are “${label ? fieldLabels[label] : twice}”. Leave one of them out.`
  }
  if (!names.includes('user_number')) return 'No column holds phone numbers. Say which one does.'
  return null
}
