import { Button, NativeSelect, Text, TextInput } from '@mantine/core'
import { sessions } from '@parley/contract/appointment-slots'
import { type Appointment, appointmentStatuses } from '@parley/contract/appointments'
import type { BranchSettings, ServiceSettings } from '@parley/contract/branch-settings'
import { bookers } from '@parley/contract/slot-dates'
import { BranchPicker } from '../../calendar/branch-picker.tsx'
import { curlOf } from '../../curl.ts'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useFilters } from '../../use-filters.ts'
import { usePages } from '../../use-pages.ts'
import { AppointmentTable } from './appointment-table.tsx'
import { isNumber, listQuery, plainNumber } from './filters.ts'
import { bookedByWords, statusMarks } from './wording.ts'

interface AppointmentListProps {
  branches: readonly BranchSettings[]
  services: readonly ServiceSettings[]
  onBook?: (() => void) | undefined
}

const names = ['branch', 'from', 'to', 'session', 'service', 'status', 'booked_by', 'contact'] as const

export function AppointmentList({ branches, services, onBook }: AppointmentListProps) {
  const { filters, set } = useFilters()
  const query = listQuery(filters)
  const list = usePages<Appointment>(['appointments', 'list', query], '/api/v1/appointments', { ...query, limit: 50 })
  const isFiltered = names.some((name) => filters[name])
  const clear = () => set(Object.fromEntries(names.map((name) => [name, undefined])))
  return (
    <>
      <ListFilters branches={branches} services={services} />
      <Panel>
        <Loaded query={list}>
          {(rows) => {
            if (rows.length === 0)
              return (
                <Empty
                  title={isFiltered ? 'Nothing fits these filters' : 'No appointments yet'}
                  text={isFiltered ? 'Take some of them away.' : 'Book one here, or let the agent do it in a call.'}
                  action={
                    isFiltered ? (
                      <Button variant="default" onClick={clear}>
                        Clear filters
                      </Button>
                    ) : (
                      onBook && <Button onClick={onBook}>Book an appointment</Button>
                    )
                  }
                  curl={curlOf({ method: 'GET', path: '/v1/appointments' })}
                />
              )
            return (
              <>
                <Text size="sm" c="dimmed" mb="xs">
                  What was booked last comes first. Times are those of each branch.
                </Text>
                <AppointmentTable label="Appointments" appointments={rows} withDate />
                <MoreButton list={list} />
              </>
            )
          }}
        </Loaded>
      </Panel>
    </>
  )
}

function ListFilters({ branches, services }: Omit<AppointmentListProps, 'onBook'>) {
  const { filters, set } = useFilters()
  const select = (name: string, label: string, any: string, data: { value: string; label: string }[]) => (
    <NativeSelect
      label={label}
      value={filters[name] ?? ''}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
      data={[{ value: '', label: any }, ...data]}
    />
  )
  const date = (name: string, label: string) => (
    <TextInput
      type="date"
      label={label}
      value={filters[name] ?? ''}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  )
  const contact = filters.contact ?? ''
  const plain = (list: readonly string[]) => list.map((each) => ({ value: each, label: each }))
  return (
    <div className="filters">
      <BranchPicker
        branches={branches}
        everywhere="Every branch"
        value={filters.branch ?? ''}
        onChange={(branch) => set({ branch })}
      />
      {date('from', 'From')}
      {date('to', 'To')}
      {select('session', 'Session', 'Any', plain(sessions))}
      {select(
        'service',
        'Service',
        'Any',
        services.map((each) => ({ value: each.appointment_type_id, label: each.name })),
      )}
      {select(
        'status',
        'Status',
        'Any',
        appointmentStatuses.map((each) => ({ value: each, label: statusMarks[each].word })),
      )}
      {select(
        'booked_by',
        'Booked by',
        'Anybody',
        bookers.map((each) => ({ value: each, label: bookedByWords[each] })),
      )}
      <TextInput
        label="Phone number"
        type="tel"
        placeholder="+15005550001"
        value={contact}
        error={contact !== '' && !isNumber(plainNumber(contact)) ? 'The whole number, with +' : undefined}
        onChange={(event) => set({ contact: event.currentTarget.value })}
      />
    </div>
  )
}
