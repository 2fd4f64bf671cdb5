import type { AddHolidaysBody, HolidaySettings } from '@parley/contract/branch-settings'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { write } from '../../api.ts'
import { refreshCalendar } from '../../calendar/queries.ts'
import { toast } from '../../ui/toast.ts'

const words = (added: readonly HolidaySettings[]): string => {
  const booked = added.reduce((sum, each) => sum + each.booked, 0)
  const what = added.length === 1 ? 'The holiday is added' : `${added.length} holidays are added`
  return booked === 0 ? what : `${what}. ${booked} booked in them ${booked === 1 ? 'stays' : 'stay'} booked.`
}

export function useAddHolidays(onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: AddHolidaysBody) => write<HolidaySettings[]>('POST', '/api/holidays', body),
    onSuccess: async (added) => {
      toast(words(added))
      onDone()
      await refreshCalendar(client)
    },
  })
}
