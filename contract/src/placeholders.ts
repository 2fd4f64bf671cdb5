// What `{{key}}` means in an agent's prompt and greeting: read and filled in one place.

const pattern = /\{\{([^{}]{0,200})\}\}/g

/** Available in every call, whatever additional_info holds. */
export const standingPlaceholders = ['user_name', 'user_number', 'user_email'] as const

/** The keys these texts ask for, in order of appearance, each once. */
export function placeholdersIn(...templates: string[]): string[] {
  const keys = templates.flatMap((each) => [...each.matchAll(pattern)].map((match) => (match[1] ?? '').trim()))
  return [...new Set(keys.filter((key) => key !== ''))]
}

/** One pass: a value that looks like a placeholder stays as it is. What is unknown becomes empty (decisions 3). */
export const fillTemplate = (template: string, lookUp: (key: string) => string | undefined): string =>
  template.replace(pattern, (_all, key: string) => lookUp(key.trim()) ?? '')

const samples: Record<string, string> = {
  user_name: 'Maya',
  user_number: '+1 500 555 0001',
  user_email: 'maya@example.com',
}
/** What a preview puts in a placeholder's place. */
export const sampleOf = (key: string): string => samples[key] ?? `[${key}]`

export type TemplatePart = { text: string; isPlaceholder: boolean }

/** The text cut at its placeholders, to be shown with them marked. */
export function partsOf(template: string): TemplatePart[] {
  const parts: TemplatePart[] = []
  let from = 0
  for (const match of template.matchAll(pattern)) {
    if (match.index > from) parts.push({ text: template.slice(from, match.index), isPlaceholder: false })
    parts.push({ text: match[0], isPlaceholder: true })
    from = match.index + match[0].length
  }
  if (from < template.length) parts.push({ text: template.slice(from), isPlaceholder: false })
  return parts
}
