// The transcript beside the sound: which line is current, and where searched words are.
import type { Utterance } from '@parley/contract/calls'

/** The clock of the media is not exact to the last digit. */
const slackSeconds = 0.05

/** The last line that has begun; -1 before the first. */
export const lineAt = (lines: readonly Utterance[], seconds: number): number =>
  lines.findLastIndex(({ timestamp }) => timestamp <= seconds + slackSeconds)

/** Where j and k lead. */
export function neighbour(lines: readonly Utterance[], seconds: number, step: 1 | -1): number | null {
  const next = lineAt(lines, seconds) + step
  return next >= 0 && next < lines.length ? next : null
}

export interface Part {
  text: string
  isMatch: boolean
}

/** A text cut into what was searched for and what was not. Letters count, capitals do not. */
export function partsOf(text: string, words: string): Part[] {
  const wanted = words.trim().toLowerCase()
  const lower = text.toLowerCase()
  // Where lower case has another length (İ), places cannot be compared: then nothing is marked.
  if (wanted === '' || lower.length !== text.length) return [{ text, isMatch: false }]
  const parts: Part[] = []
  let from = 0
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, from)) {
    if (at > from) parts.push({ text: text.slice(from, at), isMatch: false })
    parts.push({ text: text.slice(at, at + wanted.length), isMatch: true })
    from = at + wanted.length
  }
  if (from < text.length || parts.length === 0) parts.push({ text: text.slice(from), isMatch: false })
  return parts
}

export const speakerOf = (speaker: string, agentName: string, contactName: string): string =>
  speaker === 'agent' ? agentName : speaker === 'user' ? contactName : speaker

/** To paste elsewhere. */
export const transcriptText = (
  lines: readonly Utterance[],
  nameOf: (speaker: string) => string,
  clock: (seconds: number) => string,
): string => lines.map(({ speaker, text, timestamp }) => `[${clock(timestamp)}] ${nameOf(speaker)}: ${text}`).join('\n')
