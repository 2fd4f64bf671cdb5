import type { PatchSlotBody, Slot } from '@parley/contract/appointment-slots'
import type { PatchTrackingBody } from '@parley/contract/slot-dates'
import type { Cell } from './week.ts'

export interface DayDraft {
  max: number
  ai: number
  start: string
  end: string
  note: string
}

export const draftOf = (cell: Cell): DayDraft => ({
  max: cell.max,
  ai: cell.ai,
  start: cell.start,
  end: cell.end,
  // A holiday's reason is not the date's own note.
  note: cell.isOverride ? (cell.note ?? '') : '',
})

/**
 * Only what is different: from the date, or from the weekly rule. The two capacities go together, because one alone might
 * contradict the other; so do the two times.
 */
export function patchOf(
  cell: Cell,
  window: Slot | undefined,
  draft: DayDraft,
  scope: 'date' | 'week',
): PatchTrackingBody & PatchSlotBody {
  const rule = { max: window?.max_slots, ai: window?.ai_slots, start: window?.start_time, end: window?.end_time }
  const now = scope === 'date' ? cell : rule
  const isOther = (name: 'max' | 'ai' | 'start' | 'end') => draft[name] !== now[name]
  const note = draft.note.trim()
  return {
    ...(isOther('max') || isOther('ai') ? { max_slots: draft.max, ai_slots: draft.ai } : {}),
    ...(isOther('start') || isOther('end') ? { start_time: draft.start, end_time: draft.end } : {}),
    ...(scope === 'date' && note !== draftOf(cell).note ? { note: note || null } : {}),
  }
}
