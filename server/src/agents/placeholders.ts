import type { AdditionalInfo } from '@parley/contract/calls'
import { fillTemplate } from '@parley/contract/placeholders'

export type PlaceholderValues = {
  userName: string | null
  userNumber: string
  userEmail: string | null
  additionalInfo: AdditionalInfo | null
}

/**
 * Fills `{{key}}` in one pass: a value that looks like a placeholder stays as it is, so nobody can reach into the prompt
 * through a form field. An unknown key becomes empty (decisions 3).
 */
export function fillPlaceholders(template: string, values: PlaceholderValues): string {
  const own = new Map<string, string>([
    ...Object.entries(values.additionalInfo ?? {}).map(([key, value]): [string, string] => [key, String(value ?? '')]),
    ['user_name', values.userName ?? ''],
    ['user_number', values.userNumber],
    ['user_email', values.userEmail ?? ''],
  ])
  return fillTemplate(template, (key) => own.get(key))
}
