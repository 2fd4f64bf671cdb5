import {
  type CreateSlotBody,
  type Day,
  type PatchSlotBody,
  type Session,
  type Slot,
  sessions,
} from '@parley/contract/appointment-slots'
import type { BranchSettings } from '@parley/contract/branch-settings'
import { weekdays } from '../../calendar/dates.ts'

export interface WindowDraft {
  days: Day[]
  session: Session
  start: string
  end: string
  max: number
  ai: number
  serviceId: string
  batch: string
}

export function newDraft(branch: BranchSettings, day: Day, session: Session): WindowDraft {
  const { start, end } = branch.session_hours[session]
  return { days: [day], session, start, end, max: 8, ai: 4, serviceId: '', batch: '' }
}

export const draftOfWindow = (window: Slot): WindowDraft => ({
  days: [window.day],
  session: window.session,
  start: window.start_time ?? '',
  end: window.end_time ?? '',
  max: window.max_slots,
  ai: window.ai_slots,
  serviceId: window.appointment_type ?? '',
  batch: window.batch ?? '',
})

/** Hours that were the old session's become the new one's. */
export function withSession(draft: WindowDraft, branch: BranchSettings, session: Session): WindowDraft {
  const old = branch.session_hours[draft.session]
  const isUsual = draft.start === old.start && draft.end === old.end
  const { start, end } = branch.session_hours[session]
  return { ...draft, session, ...(isUsual ? { start, end } : {}) }
}

/** Hours as the branch has them are left out: then they follow the branch. */
const hoursIn = (draft: WindowDraft, branch: BranchSettings) => {
  const { start, end } = branch.session_hours[draft.session]
  return draft.start === start && draft.end === end ? null : { start_time: draft.start, end_time: draft.end }
}

export const bodiesOf = (draft: WindowDraft, branch: BranchSettings): CreateSlotBody[] =>
  draft.days
    .toSorted((a, b) => weekdays.indexOf(a) - weekdays.indexOf(b))
    .map((day) => ({
      branch_id: branch.branch_id,
      day,
      session: draft.session,
      max_slots: draft.max,
      ai_slots: draft.ai,
      ...(hoursIn(draft, branch) ?? {}),
      ...(draft.batch.trim() ? { batch_name: draft.batch.trim() } : {}),
      ...(draft.serviceId ? { appointment_type_id: draft.serviceId } : {}),
    }))

export const patchOfWindow = (draft: WindowDraft, branch: BranchSettings): PatchSlotBody => ({
  day: draft.days[0] ?? 'monday',
  session: draft.session,
  max_slots: draft.max,
  ai_slots: draft.ai,
  batch_name: draft.batch.trim() || null,
  ...(hoursIn(draft, branch) ?? { start_time: null, end_time: null }),
})

const sameness = (each: Pick<Slot, 'session' | 'start_time' | 'end_time' | 'batch' | 'appointment_type'>): string =>
  [each.session, each.start_time, each.end_time, each.batch, each.appointment_type].join('|')

/** What has to be made so that these days are like that one; what is there already is left alone. */
export function copiesOf(windows: readonly Slot[], from: Day, to: readonly Day[]): { day: Day; window: Slot }[] {
  const on = (day: Day) => windows.filter((each) => each.day === day && each.status === 'OPEN')
  const inOrder = on(from).toSorted((a, b) => sessions.indexOf(a.session) - sessions.indexOf(b.session))
  return weekdays
    .filter((day) => to.includes(day) && day !== from)
    .flatMap((day) => {
      const there = new Set(on(day).map(sameness))
      return inOrder.filter((window) => !there.has(sameness(window))).map((window) => ({ day, window }))
    })
}

export const copyBody = (branch: BranchSettings, { day, window }: { day: Day; window: Slot }): CreateSlotBody => ({
  ...(bodiesOf({ ...draftOfWindow(window), days: [day] }, branch)[0] as CreateSlotBody),
})

/** Windows that share a time on one of these days; both are offered, which is rarely meant. */
export function overlapsOf(windows: readonly Slot[], draft: WindowDraft, except?: string): Slot[] {
  return windows.filter(
    (each) =>
      each.calendar_id !== except &&
      each.status === 'OPEN' &&
      draft.days.includes(each.day) &&
      (each.start_time ?? '') < draft.end &&
      draft.start < (each.end_time ?? ''),
  )
}
