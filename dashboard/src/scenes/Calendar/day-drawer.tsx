import { Alert, Button, Group, Text } from '@mantine/core'
import type { Slot } from '@parley/contract/appointment-slots'
import type { BranchSettings } from '@parley/contract/branch-settings'
import { longDay, shortDay, zoneText } from '../../calendar/dates.ts'
import { useAppointmentsOf } from '../../calendar/queries.ts'
import { useMay } from '../../session.ts'
import { CopyId } from '../../ui/copy-id.tsx'
import { SidePanel } from '../../ui/dialog.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Panel } from '../../ui/panel.tsx'
import { AppointmentTable } from '../Appointments/appointment-table.tsx'
import { CellMark } from './cell-mark.tsx'
import { DateActions } from './date-actions.tsx'
import { DayForm } from './day-form.tsx'
import { Fill } from './fill.tsx'
import { type Cell, nameOf } from './week.ts'
import { checksOf } from './why.ts'

interface DayDrawerProps {
  cell: Cell
  window: Slot | undefined
  branch: BranchSettings
  isOverride: boolean
  onBook: () => void
  onEditRule: () => void
  onClose: () => void
}

/** One window on one date: who comes, what can be changed, and why it may not be available. */
export function DayDrawer({ cell, window, branch, isOverride, onBook, onEditRule, onClose }: DayDrawerProps) {
  const mayWork = useMay('work')
  const appointments = useAppointmentsOf({ calendar_id: cell.calendarId, date: cell.date })
  return (
    <SidePanel onClose={onClose} title={`${longDay(cell.date)} · ${nameOf(cell)}`}>
      <div className="stack">
        <Facts>
          <Fact name="Status">
            <CellMark cell={cell} />
          </Fact>
          <Fact name="Hours">
            {cell.start}–{cell.end} {zoneText(branch.timezone, cell.date)}
          </Fact>
          <Fact name="Booked">
            <Fill cell={cell} />
          </Fact>
          {cell.note && <Fact name="Note">{cell.note}</Fact>}
          <Fact name="Slot ID">
            <CopyId id={cell.slotId} label="slot ID" />
          </Fact>
        </Facts>
        {cell.isOverride && (
          <Alert icon={<Icon name="info" />} title={`${shortDay(cell.date)} differs from the weekly rule`}>
            It stays so when the rule changes, until it is set back.
          </Alert>
        )}
        {mayWork ? (
          <DateActions cell={cell} onBook={onBook} />
        ) : (
          <Text size="sm" c="dimmed">
            You can look at the calendar. Changing it takes the role staff, admin or owner.
          </Text>
        )}
        <Panel title="Booked">
          <Loaded query={appointments} rows={2}>
            {(all) =>
              all.length === 0 ? (
                <Text size="sm" c="dimmed">
                  Nobody yet.
                </Text>
              ) : (
                <AppointmentTable label={`Booked on ${shortDay(cell.date)}`} appointments={all} brief />
              )
            }
          </Loaded>
        </Panel>
        {(cell.free === 0 || cell.aiFree === 0) && (
          <Panel title={cell.free === 0 ? 'Why is this not available?' : 'Why can the AI agent not book here?'}>
            <ul className="checks">
              {checksOf(cell, window).map(({ isFine, text }) => (
                <li key={text}>
                  <Mark tone={isFine ? 'good' : 'bad'} icon={isFine ? 'check' : 'close'}>
                    {text}
                  </Mark>
                </li>
              ))}
            </ul>
          </Panel>
        )}
        {mayWork && cell.closedReason !== 'past' && (
          <Panel title="Places and hours">
            <DayForm key={formKey(cell, isOverride)} cell={cell} window={window} isOverride={isOverride} />
          </Panel>
        )}
        {mayWork && window && (
          <Group justify="flex-end">
            <Button variant="default" onClick={onEditRule}>
              Edit the weekly window…
            </Button>
          </Group>
        )}
      </div>
    </SidePanel>
  )
}

/** When somebody else changes the date meanwhile, the form shows it: what was not seen must not be undone. */
const formKey = ({ slotId, max, ai, start, end, note }: Cell, isOverride: boolean): string =>
  [slotId, max, ai, start, end, note, isOverride].join(' ')
