import { Button, Group, NativeSelect, Text } from '@mantine/core'
import type { Day, Slot } from '@parley/contract/appointment-slots'
import type { BranchSettings } from '@parley/contract/branch-settings'
import { type FormEvent, useState } from 'react'
import { capital, weekdays } from '../../calendar/dates.ts'
import { explain } from '../../explain.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { toast } from '../../ui/toast.ts'
import { DayChips } from './day-chips.tsx'
import { useMakeWindows } from './make-windows.ts'
import { copiesOf, copyBody } from './window-draft.ts'

interface CopyDayProps {
  branch: BranchSettings
  windows: readonly Slot[]
  onClose: () => void
}

/** Monday to all weekdays, at once. What is there already is left alone. */
export function CopyDay({ branch, windows, onClose }: CopyDayProps) {
  const [from, setFrom] = useState<Day>('monday')
  const [to, setTo] = useState<Day[]>(['tuesday', 'wednesday', 'thursday', 'friday'])
  const make = useMakeWindows()
  const copies = copiesOf(windows, from, to)
  const copy = (event: FormEvent) => {
    event.preventDefault()
    if (copies.length === 0 || make.isPending) return
    make.mutate(
      copies.map((each) => copyBody(branch, each)),
      {
        onSuccess: (count) => {
          toast(count === 1 ? 'One window is added' : `${count} windows are added`)
          onClose()
        },
      },
    )
  }
  return (
    <Dialog onClose={onClose} size="lg" title="Copy a day">
      <form className="stack" onSubmit={copy}>
        <NativeSelect
          label="From"
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value as Day)}
          data={weekdays.map((day) => ({ value: day, label: capital(day) }))}
        />
        <DayChips label="To" days={to} onChange={setTo} />
        {copies.length === 0 ? (
          <Text size="sm" c="dimmed">
            Nothing to copy: {capital(from)} has no open window, or these days have the same already.
          </Text>
        ) : (
          <div>
            <Text size="sm" fw={600}>
              This will be added:
            </Text>
            <ul className="copy-list">
              {copies.map(({ day, window }) => (
                <li key={`${day} ${window.calendar_id}`}>
                  {capital(day)}: {window.session} {window.start_time}–{window.end_time}, {window.max_slots} places, AI{' '}
                  {window.ai_slots}
                  {window.batch ? `, ${window.batch}` : ''}
                </li>
              ))}
            </ul>
          </div>
        )}
        {make.error && <FailureNote explanation={explain(make.error)} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Keep as it is
          </Button>
          <BusyButton type="submit" busy={make.isPending} busyWords="Adding…" disabled={copies.length === 0}>
            Add {copies.length}
          </BusyButton>
        </Group>
      </form>
    </Dialog>
  )
}
