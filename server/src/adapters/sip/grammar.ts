/** Bytes that are no SIP message. Nothing else is ever thrown for what a stranger sent. */
export class SipParseError extends Error {
  override readonly name = 'SipParseError'
}

/** Splits where the separator stands neither in quotes nor in angle brackets. */
export function splitOutside(value: string, separator: string): string[] {
  const parts: string[] = []
  let quoted = false
  let bracketed = false
  let start = 0
  for (let index = 0; index < value.length; index += 1) {
    const char = value[index]
    if (quoted) {
      if (char === '\\') index += 1
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '<') bracketed = true
    else if (char === '>') bracketed = false
    else if (char === separator && !bracketed) {
      parts.push(value.slice(start, index).trim())
      start = index + 1
    }
  }
  parts.push(value.slice(start).trim())
  return parts
}

/** `;name=value;flag` after the main part, names in lower case. */
export function parseParams(parts: readonly string[]): Map<string, string> {
  const params = new Map<string, string>()
  for (const part of parts) {
    const equals = part.indexOf('=')
    const name = (equals < 0 ? part : part.slice(0, equals)).trim().toLowerCase()
    if (name !== '' && !params.has(name)) params.set(name, equals < 0 ? '' : unquote(part.slice(equals + 1).trim()))
  }
  return params
}

export const unquote = (text: string): string =>
  text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1).replace(/\\(.)/g, '$1') : text

export const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`
