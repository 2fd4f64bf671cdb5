import type { AdditionalInfo } from '@parley/contract/calls'

export type PlaceholderValues = {
  userName: string | null
  userNumber: string
  userEmail: string | null
  additionalInfo: AdditionalInfo | null
}

const pattern = /\{\{([^{}]{0,200})\}\}/g

/** The keys these templates use, each once, in order. */
export const placeholdersIn = (...templates: string[]): string[] => [
  ...new Set(
    templates
      .flatMap((template) => [...template.matchAll(pattern)].map(([, key = '']) => key.trim()))
      .filter((key) => key !== ''),
  ),
]

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
  return template.replace(pattern, (_all, key: string) => own.get(key.trim()) ?? '')
}
