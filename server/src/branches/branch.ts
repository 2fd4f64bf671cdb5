import type { sessions } from '@parley/contract/appointment-slots'

export type Session = (typeof sessions)[number]
export type SessionHours = Record<Session, { start: string; end: string }>

/** What a branch keeps to until somebody says otherwise. */
export const usualHours: SessionHours = {
  Morning: { start: '09:00', end: '12:00' },
  Afternoon: { start: '12:00', end: '17:00' },
  Evening: { start: '17:00', end: '20:00' },
}

export type NewBranch = { name: string; timezone: string; sessionHours: SessionHours }
/** `branchIds` empty: offered at every branch. */
export type NewService = { name: string; durationMinutes: number; branchIds: string[] }
