// What calendar and appointments read. Keys begin with a topic, so that it is read again when something changes.
import type { Slot } from '@parley/contract/appointment-slots'
import type { Appointment } from '@parley/contract/appointments'
import type { BranchSettings, HolidaySettings, ServiceSettings } from '@parley/contract/branch-settings'
import type { SlotOnDate, TrackingRecord } from '@parley/contract/slot-dates'
import { keepPreviousData, type QueryClient, useQuery } from '@tanstack/react-query'
import { type Query, read, readPage } from '../api.ts'
import { refresh } from '../live.ts'
import { addDays } from './dates.ts'

export const refreshCalendar = (client: QueryClient): Promise<void> => refresh(client, ['slots', 'appointments'])

export const useBranches = () =>
  useQuery({
    queryKey: ['slots', 'branches'],
    queryFn: ({ signal }) => read<BranchSettings[]>('/api/branches', {}, signal),
  })

export const useServices = () =>
  useQuery({
    queryKey: ['slots', 'services'],
    queryFn: ({ signal }) => read<ServiceSettings[]>('/api/services', {}, signal),
  })

export const useHolidays = () =>
  useQuery({
    queryKey: ['slots', 'holidays'],
    queryFn: ({ signal }) => read<HolidaySettings[]>('/api/holidays', {}, signal),
  })

export const servicesOf = (services: readonly ServiceSettings[], branchId: string): ServiceSettings[] =>
  services.filter((each) => each.branch_ids.length === 0 || each.branch_ids.includes(branchId))

/** Nothing of another week or day is shown while this one is read: it would stand under the wrong date. */
export const useTracking = (branchId: string, from: string, days: number) =>
  useQuery({
    queryKey: ['slots', 'tracking', branchId, from, days],
    enabled: branchId !== '',
    queryFn: ({ signal }) =>
      read<TrackingRecord[]>(
        '/api/v1/appointment-slots/schedule-tracking',
        { branch_id: branchId, start_date: from, end_date: addDays(from, days - 1) },
        signal,
      ),
  })

export const useAvailability = (query: {
  branchId: string
  from: string
  days: number
  serviceId?: string | null | undefined
  bookedBy?: 'ai' | 'staff'
}) =>
  useQuery({
    queryKey: ['slots', 'availability', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      read<SlotOnDate[]>(
        '/api/v1/appointment-slots/availability',
        {
          branch_id: query.branchId,
          start_date: query.from,
          end_date: addDays(query.from, query.days - 1),
          appointment_type_id: query.serviceId,
          include_full: true,
        },
        signal,
      ),
  })

const pageSize = 100
const mostPages = 20

/** Every page of it, up to two thousand. */
async function readAll<T>(path: string, query: Query, signal: AbortSignal): Promise<T[]> {
  const items: T[] = []
  let cursor: string | null = null
  for (let at = 0; at < mostPages; at += 1) {
    const page: { data: T[]; next_cursor: string | null } = await readPage<T>(
      path,
      { ...query, limit: pageSize, cursor },
      signal,
    )
    items.push(...page.data)
    cursor = page.next_cursor
    if (cursor === null) break
  }
  return items
}

export const useWindows = (branchId: string) =>
  useQuery({
    queryKey: ['slots', 'windows', branchId],
    enabled: branchId !== '',
    queryFn: ({ signal }) => readAll<Slot>('/api/v1/appointment-slots', { branch_id: branchId }, signal),
  })

export const useAppointmentsOf = (query: Query, enabled = true) =>
  useQuery({
    queryKey: ['appointments', 'all', query],
    enabled,
    queryFn: async ({ signal }) =>
      (await readAll<Appointment>('/api/v1/appointments', query, signal)).toSorted((a, b) =>
        a.starts_at === b.starts_at
          ? (a.contact_name ?? '').localeCompare(b.contact_name ?? '')
          : Date.parse(a.starts_at) - Date.parse(b.starts_at),
      ),
  })
