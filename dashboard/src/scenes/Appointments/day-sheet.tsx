import { ActionIcon, Button, Checkbox, Group, Text, TextInput, Title } from '@mantine/core'
import type { BranchSettings } from '@parley/contract/branch-settings'
import { addDays, isDate, longDay, todayIn, zoneText } from '../../calendar/dates.ts'
import { useAppointmentsOf, useTracking } from '../../calendar/queries.ts'
import { curlOf } from '../../curl.ts'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useFilters } from '../../use-filters.ts'
import { CellMark } from '../Calendar/cell-mark.tsx'
import { Fill } from '../Calendar/fill.tsx'
import { AppointmentTable } from './appointment-table.tsx'
import { type SheetGroup, sheetOf } from './sheet.ts'

interface DaySheetProps {
  branch: BranchSettings
  /** Left out for those who may only look. */
  onBook?: (() => void) | undefined
}

/** Everybody who comes on one day, window by window; to print and to work through. */
export function DaySheet({ branch, onBook }: DaySheetProps) {
  const { filters, set } = useFilters()
  const today = todayIn(branch.timezone, new Date())
  const date = isDate(filters.date) ? filters.date : today
  const withCancelled = filters.cancelled === 'true'
  const tracking = useTracking(branch.branch_id, date, 1)
  const appointments = useAppointmentsOf({ branch_id: branch.branch_id, date })
  const go = (to: string) => set({ date: to === today ? undefined : to })
  return (
    <>
      <Group gap="xs" align="flex-end" className="no-print">
        <ActionIcon variant="default" size="lg" aria-label="The day before" onClick={() => go(addDays(date, -1))}>
          <Icon name="back" size={16} />
        </ActionIcon>
        <TextInput
          type="date"
          aria-label="Day"
          value={date}
          onChange={({ currentTarget }) => isDate(currentTarget.value) && go(currentTarget.value)}
        />
        <ActionIcon variant="default" size="lg" aria-label="The day after" onClick={() => go(addDays(date, 1))}>
          <Icon name="forward" size={16} />
        </ActionIcon>
        <Button variant="default" disabled={date === today} onClick={() => go(today)}>
          Today
        </Button>
        <Button variant="default" leftSection={<Icon name="print" size={16} />} onClick={() => window.print()}>
          Print
        </Button>
        <Checkbox
          label="Show cancelled"
          checked={withCancelled}
          onChange={(event) => set({ cancelled: event.currentTarget.checked ? 'true' : undefined })}
          className="bar-check"
        />
      </Group>
      <Title order={2} size="h4" className="sheet-title">
        {longDay(date)}
        <Text span c="dimmed" size="sm">
          {' '}
          {branch.name} · times in {branch.timezone} ({zoneText(branch.timezone, date)})
        </Text>
      </Title>
      <Loaded query={tracking}>
        {(records) => (
          <Loaded query={appointments}>
            {(all) => {
              const shown = all.filter((each) => withCancelled || each.status !== 'cancelled')
              const groups = sheetOf(records, shown, new Date())
              return groups.length === 0 ? (
                <Empty
                  title="Nothing on this day"
                  text="No window falls on it, and nobody is booked."
                  action={onBook && <Button onClick={onBook}>Book an appointment</Button>}
                  curl={curlOf({ method: 'GET', path: `/v1/appointments?branch_id=${branch.branch_id}&date=${date}` })}
                />
              ) : (
                groups.map((group) => <SheetPanel key={group.key} group={group} />)
              )
            }}
          </Loaded>
        )}
      </Loaded>
    </>
  )
}

function SheetPanel({ group: { session, hours, label, cell, appointments } }: { group: SheetGroup }) {
  const title = [`${session} ${hours}`, label].filter((part) => part).join(' · ')
  return (
    <Panel
      title={title}
      actions={
        cell && (
          <Group gap="md">
            <Fill cell={cell} />
            <CellMark cell={cell} />
          </Group>
        )
      }
    >
      {appointments.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nobody is booked.
        </Text>
      ) : (
        <AppointmentTable label={title} appointments={appointments} />
      )}
    </Panel>
  )
}
