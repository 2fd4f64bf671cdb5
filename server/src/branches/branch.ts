import type { Session } from '@parley/contract/appointment-slots'

export type { Session }
export type Hours = { start: string; end: string }
export type SessionHours = Record<Session, Hours>

/** What a branch keeps to until somebody says otherwise. */
export const usualHours: SessionHours = {
  Morning: { start: '09:00', end: '12:00' },
  Afternoon: { start: '12:00', end: '17:00' },
  Evening: { start: '17:00', end: '20:00' },
}

export type NewBranch = { name: string; timezone: string; sessionHours: SessionHours }
/** `branchIds` empty: offered at every branch. */
export type NewService = { name: string; durationMinutes: number; branchIds: string[] }

export type Branch = NewBranch & { branchId: string; createdAt: Date }
export type Service = NewService & { appointmentTypeId: string; createdAt: Date }

export const isOfferedAt = (service: Service, branchId: string): boolean =>
  service.branchIds.length === 0 || service.branchIds.includes(branchId)
