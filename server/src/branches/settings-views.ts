import type { BranchSettings, HolidaySettings, ServiceSettings } from '@parley/contract/branch-settings'
import type { BranchInUse } from './branch-settings.service.ts'
import type { HolidayWithBookings } from './holiday-settings.ts'
import type { ServiceInUse } from './service-settings.service.ts'

export const branchSettingsView = (branch: BranchInUse): BranchSettings => ({
  branch_id: branch.branchId,
  name: branch.name,
  timezone: branch.timezone,
  session_hours: branch.sessionHours,
  windows: branch.windows,
  agents: branch.agents,
  services: branch.services,
  created_at: branch.createdAt.toISOString(),
})

export const serviceSettingsView = (service: ServiceInUse): ServiceSettings => ({
  appointment_type_id: service.appointmentTypeId,
  name: service.name,
  duration_minutes: service.durationMinutes,
  branch_ids: service.branchIds,
  windows: service.windows,
  appointments: service.appointments,
  created_at: service.createdAt.toISOString(),
})

export const holidaySettingsView = (holiday: HolidayWithBookings): HolidaySettings => ({
  holiday_id: holiday.holidayId,
  branch_id: holiday.branchId,
  start_date: holiday.startDate,
  end_date: holiday.endDate,
  reason: holiday.reason,
  closed: holiday.hours === null,
  hours: holiday.hours,
  booked: holiday.booked,
})
