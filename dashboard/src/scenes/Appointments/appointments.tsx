import { Button, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { BranchPicker } from '../../calendar/branch-picker.tsx'
import { NeedBranch } from '../../calendar/need-branch.tsx'
import { useBranches, useServices } from '../../calendar/queries.ts'
import { useMay } from '../../session.ts'
import { Icon } from '../../ui/icons.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { useFilters } from '../../use-filters.ts'
import { AppointmentList } from './appointment-list.tsx'
import './appointments.css'
import { BookAppointment } from './book-appointment.tsx'
import { DaySheet } from './day-sheet.tsx'

export function Appointments() {
  const { filters, set } = useFilters()
  const branches = useBranches()
  const services = useServices()
  const mayWork = useMay('work')
  const [isBooking, setBooking] = useState(false)
  const isList = filters.view === 'list'
  const all = branches.data ?? []
  const branch = all.find((each) => each.branch_id === filters.branch) ?? all[0]
  const onBook = mayWork ? () => setBooking(true) : undefined
  return (
    <Page
      title="Appointments"
      lead="Who comes when: the day at a branch, or everything that was booked."
      actions={
        mayWork &&
        branch && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setBooking(true)}>
            Book an appointment
          </Button>
        )
      }
    >
      <Loaded query={branches}>
        {(found) =>
          branch === undefined ? (
            <NeedBranch />
          ) : (
            <>
              <div className="bar-row no-print">
                <SegmentedControl
                  aria-label="View"
                  value={isList ? 'list' : 'day'}
                  onChange={(view) => set({ view: view === 'list' ? 'list' : undefined })}
                  data={[
                    { value: 'day', label: 'Day sheet' },
                    { value: 'list', label: 'List' },
                  ]}
                />
                {!isList && (
                  <BranchPicker branches={found} value={branch.branch_id} onChange={(id) => set({ branch: id })} />
                )}
              </div>
              {isList ? (
                <AppointmentList branches={found} services={services.data ?? []} onBook={onBook} />
              ) : (
                <DaySheet branch={branch} onBook={onBook} />
              )}
              {isBooking && (
                <BookAppointment branch={branch} services={services.data ?? []} onClose={() => setBooking(false)} />
              )}
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
