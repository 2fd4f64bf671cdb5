import type { HolidaySettings } from '@parley/contract/branch-settings'

/** On which of these dates the branch is closed, and why. */
export const closuresOf = (
  holidays: readonly HolidaySettings[],
  branchId: string,
  dates: readonly string[],
): Map<string, string> =>
  new Map(
    dates.flatMap((date): [string, string][] => {
      const found = holidays.find(
        (each) => each.branch_id === branchId && each.closed && each.start_date <= date && date <= each.end_date,
      )
      return found ? [[date, found.reason ?? '']] : []
    }),
  )
