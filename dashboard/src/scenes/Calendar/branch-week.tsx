import { Button, Text, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { Session, Slot } from '@parley/contract/appointment-slots'
import type { BranchSettings } from '@parley/contract/branch-settings'
import { useState } from 'react'
import { isDate, mondayOf, todayIn, weekdayOf, weekFrom, weekText, zoneText } from '../../calendar/dates.ts'
import { useHolidays, useServices, useTracking, useWindows } from '../../calendar/queries.ts'
import { curlOf } from '../../curl.ts'
import { useMay } from '../../session.ts'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useFilters } from '../../use-filters.ts'
import { closuresOf } from './closures.ts'
import type { CalendarDialog, NewWindowAt } from './dialogs.ts'
import { type Cell, cellsOf, shownCells } from './week.ts'
import { WeekBar } from './week-bar.tsx'
import { WeekDialogs } from './week-dialogs.tsx'
import { WeekGrid } from './week-grid.tsx'
import { WeekTable } from './week-table.tsx'

interface BranchWeekProps {
  branch: BranchSettings
  branches: readonly BranchSettings[]
  dialog: CalendarDialog | null
  onDialog: (dialog: CalendarDialog | null) => void
}

export function BranchWeek({ branch, branches, dialog, onDialog }: BranchWeekProps) {
  const { filters, set } = useFilters()
  const mayWork = useMay('work')
  const isNarrow = useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false })
  const view = filters.view === 'grid' || filters.view === 'table' ? filters.view : isNarrow ? 'table' : 'grid'
  const today = todayIn(branch.timezone, new Date())
  // A link to one date shows its week.
  const monday = mondayOf([filters.week, filters.slot?.split('||')[1]].find(isDate) ?? today)
  const dates = weekFrom(monday)
  const tracking = useTracking(branch.branch_id, monday, 7)
  const windows = useWindows(branch.branch_id)
  const services = useServices()
  const holidays = useHolidays()
  const [newAt, setNewAt] = useState<NewWindowAt>({ day: 'monday', session: 'Morning' })
  const open = (cell: Cell, what?: 'book' | 'override') => set({ slot: cell.slotId, do: what }, { keep: true })
  const add = (date: string, session: Session) => {
    setNewAt({ day: weekdayOf(date), session })
    onDialog('window')
  }
  return (
    <>
      <WeekBar branches={branches} branch={branch} monday={monday} today={today} view={view} />
      <Panel>
        <Title order={2} size="h5" mb="xs" aria-live="polite">
          {weekText(monday)}{' '}
          <Text span c="dimmed" size="sm">
            times in {branch.timezone} ({zoneText(branch.timezone, monday)})
          </Text>
        </Title>
        <Loaded query={tracking} rows={6}>
          {(records) => {
            const cells = cellsOf(records, new Date())
            const shown = shownCells(cells, filters.disabled === 'true')
            const hasWindows = (windows.data ?? []).length > 0
            return (
              <>
                {windows.data !== undefined && !hasWindows ? (
                  <NoWindows branch={branch} onAdd={mayWork ? () => onDialog('window') : undefined} />
                ) : view === 'table' ? (
                  shown.length === 0 ? (
                    <Text c="dimmed">Nothing is planned in this week.</Text>
                  ) : (
                    <WeekTable cells={shown} onOpen={open} />
                  )
                ) : (
                  <WeekGrid
                    dates={dates}
                    today={today}
                    cells={shown}
                    holidays={closuresOf(holidays.data ?? [], branch.branch_id, dates)}
                    onOpen={open}
                    onAdd={mayWork ? add : undefined}
                  />
                )}
                <WeekDialogs
                  branch={branch}
                  services={services.data ?? []}
                  windows={windows.data ?? []}
                  cells={cells}
                  today={today}
                  newAt={newAt}
                  dialog={dialog}
                  onDialog={onDialog}
                />
              </>
            )
          }}
        </Loaded>
        <Legend isGrid={view === 'grid'} />
      </Panel>
    </>
  )
}

function Legend({ isGrid }: { isGrid: boolean }) {
  return (
    <div className="legend spaced">
      <span>AI places are a ceiling, not a reservation: staff may fill every place.</span>
      {isGrid && <span>Arrow keys move, Enter opens, N books, O changes one date.</span>}
      {isGrid && <span>A coloured edge: this date differs from the weekly rule.</span>}
    </div>
  )
}

function NoWindows({ branch, onAdd }: { branch: BranchSettings; onAdd?: (() => void) | undefined }) {
  const body: Partial<Slot> & { branch_id: string } = {
    branch_id: branch.branch_id,
    day: 'monday',
    session: 'Morning',
    max_slots: 8,
    ai_slots: 4,
  }
  return (
    <Empty
      title="No windows yet"
      text="A window says on which day and in which hours appointments can be booked, and how many of them by the AI agent."
      action={onAdd && <Button onClick={onAdd}>Add the first window</Button>}
      curl={curlOf({ method: 'POST', path: '/v1/appointment-slots', body })}
    />
  )
}
