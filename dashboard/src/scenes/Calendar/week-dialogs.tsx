import type { Slot } from '@parley/contract/appointment-slots'
import type { BranchSettings, ServiceSettings } from '@parley/contract/branch-settings'
import { useState } from 'react'
import { useMay } from '../../session.ts'
import { useFilters } from '../../use-filters.ts'
import { BookAppointment } from '../Appointments/book-appointment.tsx'
import { BranchFeed } from './branch-feed.tsx'
import { CopyDay } from './copy-day.tsx'
import { DayDrawer } from './day-drawer.tsx'
import type { CalendarDialog, NewWindowAt } from './dialogs.ts'
import { Regenerate } from './regenerate.tsx'
import type { Cell } from './week.ts'
import { draftOfWindow, newDraft } from './window-draft.ts'
import { WindowForm } from './window-form.tsx'
import { WindowSwitch } from './window-switch.tsx'

interface WeekDialogsProps {
  branch: BranchSettings
  services: readonly ServiceSettings[]
  windows: readonly Slot[]
  cells: readonly Cell[]
  today: string
  newAt: NewWindowAt
  dialog: CalendarDialog | null
  onDialog: (dialog: CalendarDialog | null) => void
}

/** Whatever is open over the week: the panel of a date stands in the address. */
export function WeekDialogs({ branch, services, windows, cells, today, newAt, dialog, onDialog }: WeekDialogsProps) {
  const { filters, set } = useFilters()
  const mayWork = useMay('work')
  const [editedId, setEditedId] = useState<string | null>(null)
  const cell = cells.find((each) => each.slotId === filters.slot)
  const close = () => onDialog(null)
  const windowOf = (id: string | undefined) => windows.find((each) => each.calendar_id === id)
  const edited = windowOf(editedId ?? undefined)
  return (
    <>
      {cell && (
        <DayDrawer
          cell={cell}
          window={windowOf(cell.calendarId)}
          branch={branch}
          isOverride={filters.do === 'override'}
          onBook={() => set({ do: 'book' })}
          onEditRule={() => setEditedId(cell.calendarId)}
          onClose={() => set({ slot: undefined, do: undefined })}
        />
      )}
      {cell && mayWork && filters.do === 'book' && (
        <BookAppointment
          branch={branch}
          services={services}
          place={{
            slot_id: cell.slotId,
            date: cell.date,
            start_time: cell.start,
            end_time: cell.end,
            session: cell.session,
            batch: cell.batch,
            appointment_type: cell.serviceId,
          }}
          onClose={() => set({ do: undefined })}
        />
      )}
      {edited && (
        <WindowForm
          branch={branch}
          services={services}
          windows={windows}
          window={edited}
          initial={draftOfWindow(edited)}
          extra={<WindowSwitch window={edited} today={today} onDone={() => setEditedId(null)} />}
          onClose={() => setEditedId(null)}
        />
      )}
      {dialog === 'window' && (
        <WindowForm
          branch={branch}
          services={services}
          windows={windows}
          initial={newDraft(branch, newAt.day, newAt.session)}
          onClose={close}
        />
      )}
      {dialog === 'copy' && <CopyDay branch={branch} windows={windows} onClose={close} />}
      {dialog === 'regenerate' && <Regenerate branch={branch} onClose={close} />}
      {dialog === 'feed' && <BranchFeed branch={branch} onClose={close} />}
    </>
  )
}
