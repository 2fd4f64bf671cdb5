// Headers as people paste them: from a log, a terminal, a proxy or a debugger.
const names = { timestamp: 'x-webhook-timestamp', signature: 'x-webhook-signature', id: 'x-webhook-id' } as const
export type PastedHeaders = Record<keyof typeof names, string>

const unquoted = (text: string): string => {
  const found = /^(["'])(.*)\1$/.exec(text)
  return found ? String(found[2]) : text
}

/** One header a line, as HTTP, JSON, a dictionary or a curl option; whatever else stands there is left out. */
export function readHeaders(text: string): PastedHeaders {
  const found: PastedHeaders = { timestamp: '', signature: '', id: '' }
  const pattern = /["']?(x[-_]webhook[-_](?:timestamp|signature|id))["']?\s*[:=]>?\s*(.*)$/i
  // A JSON object in one line is several headers.
  for (const line of text.split(/\r?\n|,\s*(?=["']?x[-_]webhook)/i)) {
    const match = pattern.exec(line.replace(/http_/i, ''))
    if (!match) continue
    const name = String(match[1]).toLowerCase().replaceAll('_', '-')
    const which = (Object.keys(names) as (keyof typeof names)[]).find((each) => names[each] === name)
    const value = String(match[2])
      .trim()
      .replace(/^\[\s*|[\]}]\s*,?$|,$/g, '')
      .trim()
    // An option of curl ends with the quote it began with.
    const bare = /^-H\s/.test(line.trim()) ? value.replace(/["']\s*\\?$/, '') : unquoted(value)
    if (which) found[which] = bare
  }
  return found
}
