import { Button } from '@mantine/core'
import type { Slot } from '@parley/contract/appointment-slots'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { write } from '../../api.ts'
import { capital } from '../../calendar/dates.ts'
import { refreshCalendar, useAppointmentsOf } from '../../calendar/queries.ts'
import { explain } from '../../explain.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { toast } from '../../ui/toast.ts'
import { slotText, whoOf } from '../Appointments/wording.ts'

/** On and off; windows are never deleted. What stays booked is shown before. */
export function WindowSwitch({ window, today, onDone }: { window: Slot; today: string; onDone: () => void }) {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const path = `/api/v1/appointment-slots/${window.calendar_id}`
  const change = useMutation({
    mutationFn: () =>
      window.status === 'OPEN' ? write('POST', `${path}/disable`) : write('PATCH', path, { status: 'OPEN' }),
    onSuccess: async () => {
      toast(window.status === 'OPEN' ? 'The window is switched off' : 'The window is on again')
      onDone()
      await refreshCalendar(client)
    },
  })
  if (window.status === 'CLOSED')
    return (
      <Button
        variant="default"
        loading={change.isPending}
        onClick={() => change.mutate(undefined, { onError: (failure) => toast(explain(failure).text) })}
      >
        Switch on again
      </Button>
    )
  return (
    <>
      <Button variant="subtle" color="red" onClick={() => setAsking(true)}>
        Switch off…
      </Button>
      {isAsking && (
        <Confirm
          title={`Switch off every ${capital(window.day)}, ${window.session}?`}
          doIt="Switch off"
          doing="Switching off…"
          busy={change.isPending}
          failure={change.error}
          onClose={() => setAsking(false)}
          onConfirm={() => change.mutate()}
        >
          <p className="plain">Nothing more can be booked into it, on any date. You can switch it on again.</p>
          <StaysBooked calendarId={window.calendar_id} today={today} />
        </Confirm>
      )}
    </>
  )
}

const shown = 5

function StaysBooked({ calendarId, today }: { calendarId: string; today: string }) {
  const query = useAppointmentsOf({ calendar_id: calendarId, start_date: today, status: 'confirmed' })
  return (
    <Loaded query={query} rows={1}>
      {(all) => (
        <>
          <p className="plain spaced">{all.length === 0 ? 'Nobody is booked in it.' : `${all.length} stay booked:`}</p>
          <ul>
            {all.slice(0, shown).map((each) => (
              <li key={each.appointment_id}>
                {whoOf(each)}, {slotText(each)}
              </li>
            ))}
            {all.length > shown && <li>and {all.length - shown} more</li>}
          </ul>
        </>
      )}
    </Loaded>
  )
}
