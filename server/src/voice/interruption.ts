import { isBackChannel } from './back-channels.ts'

/** So much speech takes the floor even before anything is understood of it… */
export const bargeInMs = 400
/** …and so much is enough when there are words in it. */
const wordedBargeInMs = 300
/** A "go on" that lasts is more than that; its recognition is just late. */
const longestBackChannelMs = 1_200
/** When nothing was said after all, the agent goes on. */
export const falseInterruptionMs = 2_000
/** Whoever speaks into the last words of a question answers it. */
export const answerOverlapMs = 700

export const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

export type Overlap = { voicedMs: number; text: string; language: string; greeting: boolean }

/** Does speech over the agent's stop the agent? */
export function takesTheFloor({ voicedMs, text, language, greeting }: Overlap): boolean {
  if (!hasWords(text)) return voicedMs >= bargeInMs
  if (isBackChannel(text, language, { greeting })) return voicedMs >= longestBackChannelMs
  return voicedMs >= wordedBargeInMs
}
