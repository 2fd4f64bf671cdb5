// RFC 4180, as spreadsheets really write it: commas, semicolons or tabs, CRLF or LF, quotes, a byte order mark.
export interface CsvRecord {
  /** Where it begins in the file; the first line is 1. */
  line: number
  cells: string[]
}
export type Csv = { records: CsvRecord[] } | { fault: string }

const delimiters = [',', ';', '\t'] as const
const newline = /\r\n|\n|\r/y

/** The one the first line uses most, outside of quotes. */
export function delimiterOf(text: string): string {
  const head = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text)?.[0].replaceAll(/"(?:[^"]|"")*"/g, '') ?? ''
  const counts = delimiters.map((each) => head.split(each).length)
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ','
}

export function parseCsv(source: string): Csv {
  const text = source.replace(/^\uFEFF/, '')
  const delimiter = delimiterOf(text)
  const plain = new RegExp(`[^${delimiter}\\r\\n]*`, 'y')
  const quoted = /"((?:[^"]|"")*)"/y
  const take = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }
  const records: CsvRecord[] = []
  let cells: string[] = []
  let [at, line, begin] = [0, 1, 1]
  while (at < text.length || cells.length > 0) {
    const inQuotes = text[at] === '"'
    const found = inQuotes ? take(quoted, at) : take(plain, at)
    if (!found) return { fault: `A quote that opens in line ${line} never closes.` }
    at += found[0].length
    line += inQuotes ? (found[0].match(/\r\n|\n|\r/g)?.length ?? 0) : 0
    // What follows a closing quote belongs to the cell, as spreadsheets read it.
    const rest = inQuotes ? (take(plain, at)?.[0] ?? '') : ''
    at += rest.length
    cells.push(inQuotes ? (found[1] ?? '').replaceAll('""', '"') + rest : found[0])
    if (text[at] === delimiter) {
      at += 1
      // A delimiter at the very end of the text: one more empty cell.
      if (at < text.length) continue
      cells.push('')
    }
    const end = take(newline, at)
    at += end?.[0].length ?? 0
    if (cells.some((cell) => cell.trim() !== '')) records.push({ line: begin, cells })
    cells = []
    line += 1
    begin = line
  }
  return { records }
}

const phoneLike = /^\+[0-9]{7,15}$/

/** Quoted where needed. A spreadsheet would run what begins like a formula; phone numbers stay numbers. */
export function csvCell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) && !phoneLike.test(value) ? `'${value}` : value
  return /[",;\t\r\n]/.test(safe) || safe.trim() !== safe ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** With a byte order mark: Excel reads anything else in the machine's own old letters. */
export const writeCsv = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')}`

/** UTF-8, or UTF-16 with its mark, or what Excel on Windows writes when nobody asks it. */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
