import type { HookAction, HookRequest } from '@parley/contract/hooks'
import type { Tone } from '../../ui/mark.tsx'

const actions: Record<HookAction, string> = {
  'call.create': 'Place a call',
  'call.cancel': 'Cancel a call',
  'call.delete': 'Erase a call',
}
export const actionWords = (action: HookAction | null): string =>
  action === null ? 'Could not be understood' : actions[action]

export function resultOf({ status, replayed }: Pick<HookRequest, 'status' | 'replayed'>): {
  tone: Tone
  words: string
} {
  if (status >= 500) return { tone: 'bad', words: 'Failed on our side' }
  if (status === 429) return { tone: 'warn', words: 'Too many' }
  if (status >= 400) return { tone: 'bad', words: 'Refused' }
  return replayed ? { tone: 'calm', words: 'Repeat, answered again' } : { tone: 'good', words: 'Accepted' }
}

/** How full the day's quota is, and whether somebody should look. */
export function quotaWords(
  used: number,
  limit: number,
): { percent: number; tone: 'good' | 'warn' | 'bad'; words: string } {
  const percent = limit === 0 ? 100 : Math.min(100, (100 * used) / limit)
  const words = `${used.toLocaleString('en')} of ${limit.toLocaleString('en')} requests`
  return { percent, words, tone: percent >= 100 ? 'bad' : percent >= 80 ? 'warn' : 'good' }
}
