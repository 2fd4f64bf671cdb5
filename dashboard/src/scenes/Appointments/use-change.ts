import type { Appointment, PatchAppointmentBody } from '@parley/contract/appointments'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { write } from '../../api.ts'
import { refreshCalendar } from '../../calendar/queries.ts'
import { explain } from '../../explain.ts'
import { toast } from '../../ui/toast.ts'
import { toastWithUndo } from '../../ui/undo-toast.tsx'
import { doneWords, slotText, whoOf } from './wording.ts'

const pathOf = (appointment: Appointment): string => `/api/v1/appointments/${appointment.appointment_id}`

interface Change {
  appointment: Appointment
  body: PatchAppointmentBody
}

/** What would bring it back: its old place, or its old status. */
function undoOf(before: Appointment, body: PatchAppointmentBody): PatchAppointmentBody | null {
  if (body.slot_id !== undefined) return { slot_id: before.slot_id }
  if (body.status === undefined) return null
  const reason = before.cancellation_reason
  return { status: before.status, ...(before.status === 'cancelled' && reason ? { cancellation_reason: reason } : {}) }
}

function wordsOf(after: Appointment, body: PatchAppointmentBody): string {
  if (body.slot_id !== undefined) return `${whoOf(after)} is moved to ${slotText(after)}`
  return body.status === undefined ? 'Saved' : `${whoOf(after)} ${doneWords[after.status]}`
}

/** Changes an appointment, says so, and offers to take it back. */
export function useChangeAppointment() {
  const client = useQueryClient()
  const patch = async ({ appointment, body }: Change) => {
    const after = await write<Appointment>('PATCH', pathOf(appointment), body)
    await refreshCalendar(client)
    return after
  }
  return useMutation({
    mutationFn: patch,
    onSuccess: (after, { appointment, body }) => {
      const back = undoOf(appointment, body)
      const words = wordsOf(after, body)
      if (!back) return toast(words)
      toastWithUndo(words, () =>
        patch({ appointment: after, body: back }).then(
          () => toast('Taken back'),
          (failure: unknown) => toast(`It could not be taken back. ${explain(failure).text}`),
        ),
      )
    },
  })
}
