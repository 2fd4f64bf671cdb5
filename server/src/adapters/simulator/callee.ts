/** One thing a callee does, so many seconds after the one before it is over. */
export type Act =
  | { type: 'say'; after: number; text: string }
  | { type: 'beep'; after: number }
  | { type: 'hang_up'; after: number }
  /** Not their doing: the line goes dead. */
  | { type: 'drop'; after: number }

/** Who is at the other end. Knows no time but the seconds it asks for. */
export type Callee = {
  /** Seconds of ringing; null: never picks up. */
  picksUpAfter: number | null
  /** What happens by itself once the call is answered. */
  pickUp(): Act[]
  /** The agent begins to speak, for so many seconds; only to cut it short. */
  overhear(text: string, seconds: number): Act[]
  /** The agent has finished, with these words heard since the last answer, and listens. */
  answer(words: string, language: string): Act[]
}

const wordsPerSecond = 2.5
const shortestSeconds = 0.6

export const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')

/** How long it takes to say this. */
export function speakingSeconds(text: string): number {
  const words = wordsOf(text).length
  return words === 0 ? 0 : Math.max(shortestSeconds, words / wordsPerSecond)
}
