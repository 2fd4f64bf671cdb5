import { Alert, Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { type Day, type Session, type Slot, sessions } from '@parley/contract/appointment-slots'
import type { BranchSettings, ServiceSettings } from '@parley/contract/branch-settings'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { write } from '../../api.ts'
import { capital, weekdays } from '../../calendar/dates.ts'
import { refreshCalendar, servicesOf } from '../../calendar/queries.ts'
import { explain } from '../../explain.ts'
import { faultsOf, hasOtherFaults } from '../../form-faults.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Icon } from '../../ui/icons.tsx'
import { toast } from '../../ui/toast.ts'
import { DayChips } from './day-chips.tsx'
import { useMakeWindows } from './make-windows.ts'
import { NextDates } from './next-dates.tsx'
import { PlacesFields } from './places-fields.tsx'
import { bodiesOf, overlapsOf, patchOfWindow, type WindowDraft, withSession } from './window-draft.ts'

interface WindowFormProps {
  branch: BranchSettings
  services: readonly ServiceSettings[]
  windows: readonly Slot[]
  initial: WindowDraft
  /** Left out: new ones are made, one for each day. */
  window?: Slot
  /** More that can be done with it. */
  extra?: ReactNode
  onClose: () => void
}

const fields = ['max_slots', 'ai_slots', 'start_time', 'end_time', 'batch_name', 'appointment_type_id']

export function WindowForm({ branch, services, windows, initial, window, extra, onClose }: WindowFormProps) {
  const client = useQueryClient()
  const [draft, setDraft] = useState(initial)
  const change = (part: Partial<WindowDraft>) => setDraft((old) => ({ ...old, ...part }))
  const make = useMakeWindows()
  const patch = useMutation({
    mutationFn: () => write('PATCH', `/api/v1/appointment-slots/${window?.calendar_id}`, patchOfWindow(draft, branch)),
    onSuccess: () => refreshCalendar(client),
  })
  const saving = window ? patch : make
  const done = (words: string) => ({
    onSuccess: () => {
      toast(words)
      onClose()
    },
  })
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (saving.isPending || draft.days.length === 0) return
    if (window) patch.mutate(undefined, done('The window is changed. Dates that are booked keep what they have.'))
    else
      make.mutate(
        bodiesOf(draft, branch),
        done(draft.days.length === 1 ? 'The window is added' : 'The windows are added'),
      )
  }
  const faults = faultsOf(saving.error)
  const overlaps = overlapsOf(windows, draft, window?.calendar_id)
  const time = (name: 'start' | 'end', label: string) => (
    <TextInput
      type="time"
      required
      label={label}
      value={draft[name]}
      error={faults[`${name}_time`]}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
    />
  )
  return (
    <Dialog onClose={onClose} size="lg" title={window ? 'Edit the weekly window' : 'Add a weekly window'}>
      <form className="stack" onSubmit={save}>
        {window ? (
          <NativeSelect
            label="Day"
            value={draft.days[0] ?? ''}
            onChange={(event) => change({ days: [event.currentTarget.value as Day] })}
            data={weekdays.map((day) => ({ value: day, label: capital(day) }))}
          />
        ) : (
          <DayChips days={draft.days} onChange={(days) => change({ days })} />
        )}
        <NativeSelect
          label="Session"
          value={draft.session}
          onChange={(event) => setDraft(withSession(draft, branch, event.currentTarget.value as Session))}
          data={sessions.map((each) => {
            const { start, end } = branch.session_hours[each]
            return { value: each, label: `${each} (${start}–${end})` }
          })}
        />
        <div className="pair">
          {time('start', 'From')}
          {time('end', 'To')}
        </div>
        <PlacesFields max={draft.max} ai={draft.ai} faults={faults} onChange={(max, ai) => change({ max, ai })} />
        <div className="pair">
          <NativeSelect
            label="Service"
            disabled={window !== undefined}
            description={window && 'Stays; for another, add a window'}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={draft.serviceId}
            error={faults.appointment_type_id}
            onChange={(event) => change({ serviceId: event.currentTarget.value })}
            data={[
              { value: '', label: 'Any service' },
              ...servicesOf(services, branch.branch_id).map((each) => ({
                value: each.appointment_type_id,
                label: each.name,
              })),
            ]}
          />
          <TextInput
            label="Batch (optional)"
            maxLength={100}
            value={draft.batch}
            error={faults.batch_name}
            onChange={(event) => change({ batch: event.currentTarget.value })}
          />
        </div>
        <NextDates draft={draft} branch={branch} />
        {overlaps.length > 0 && (
          <Alert icon={<Icon name="info" />} title="This overlaps another window">
            {overlaps.map((each) => `${capital(each.day)} ${each.start_time}–${each.end_time}`).join(', ')}. Both will
            be offered.
          </Alert>
        )}
        {hasOtherFaults(saving.error, fields) && <FailureNote explanation={explain(saving.error)} />}
        <Group justify="space-between">
          <div>{extra}</div>
          <Group>
            <Button variant="default" onClick={onClose}>
              Keep as it is
            </Button>
            <BusyButton type="submit" busy={saving.isPending} busyWords="Saving…" disabled={draft.days.length === 0}>
              {window ? 'Save' : draft.days.length > 1 ? `Add ${draft.days.length} windows` : 'Add window'}
            </BusyButton>
          </Group>
        </Group>
      </form>
    </Dialog>
  )
}
