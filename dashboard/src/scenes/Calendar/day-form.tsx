import { Group, Radio, TextInput } from '@mantine/core'
import type { Slot } from '@parley/contract/appointment-slots'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { write } from '../../api.ts'
import { capital, shortDay, weekdayOf } from '../../calendar/dates.ts'
import { refreshCalendar } from '../../calendar/queries.ts'
import { explain } from '../../explain.ts'
import { faultsOf, hasOtherFaults } from '../../form-faults.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { toast } from '../../ui/toast.ts'
import { type DayDraft, draftOf, patchOf } from './day-draft.ts'
import { PlacesFields } from './places-fields.tsx'
import type { Cell } from './week.ts'

interface DayFormProps {
  cell: Cell
  window: Slot | undefined
  /** O was pressed: the date is meant. */
  isOverride: boolean
}

const fields = ['max_slots', 'ai_slots', 'start_time', 'end_time', 'note']

/** Places and hours. Whether one date or every week is meant is asked, never guessed. */
export function DayForm({ cell, window, isOverride }: DayFormProps) {
  const client = useQueryClient()
  const day = capital(window?.day ?? weekdayOf(cell.date))
  const [scope, setScope] = useState<'date' | 'week' | null>(isOverride ? 'date' : null)
  const [isAsked, setAsked] = useState(false)
  const [draft, setDraft] = useState<DayDraft>(() => draftOf(cell))
  const patch = patchOf(cell, window, draft, scope ?? 'date')
  const saving = useMutation({
    mutationFn: (of: 'date' | 'week') =>
      of === 'date'
        ? write('PATCH', `/api/v1/appointment-slots/schedule-tracking/${encodeURIComponent(cell.slotId)}`, patch)
        : write('PATCH', `/api/v1/appointment-slots/${cell.calendarId}`, patch),
    onSuccess: async (_, of) => {
      await refreshCalendar(client)
      toast(of === 'date' ? `${shortDay(cell.date)} is changed` : `Every ${day} is changed. Booked dates keep theirs.`)
    },
  })
  const faults = faultsOf(saving.error)
  const change = (part: Partial<DayDraft>) => setDraft((old) => ({ ...old, ...part }))
  const save = (event: FormEvent) => {
    event.preventDefault()
    setAsked(true)
    if (scope !== null && Object.keys(patch).length > 0 && !saving.isPending) saving.mutate(scope)
  }
  const time = (name: 'start' | 'end', label: string) => (
    <TextInput
      type="time"
      label={label}
      value={draft[name]}
      error={faults[`${name}_time`]}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
    />
  )
  const isSame = isAsked && scope !== null && Object.keys(patch).length === 0
  return (
    <form className="stack" onSubmit={save}>
      <PlacesFields max={draft.max} ai={draft.ai} faults={faults} onChange={(max, ai) => change({ max, ai })} />
      <div className="pair">
        {time('start', 'From')}
        {time('end', 'To')}
      </div>
      <Radio.Group
        label="For which dates?"
        value={scope}
        onChange={(value) => setScope(value as 'date' | 'week')}
        error={isAsked && scope === null ? 'Say which dates you mean.' : isSame && 'Nothing is different yet.'}
      >
        <div className="stack choices">
          <Radio value="date" label={`Only ${shortDay(cell.date)}`} data-autofocus={isOverride || undefined} />
          <Radio value="week" label={`Every ${day}`} description="Dates that are booked keep what they have" />
        </div>
      </Radio.Group>
      {scope === 'date' && (
        <TextInput
          label="Note (optional)"
          maxLength={500}
          value={draft.note}
          error={faults.note}
          onChange={(event) => change({ note: event.currentTarget.value })}
        />
      )}
      {hasOtherFaults(saving.error, fields) && <FailureNote explanation={explain(saving.error)} />}
      <Group justify="flex-end">
        <BusyButton type="submit" busy={saving.isPending} busyWords="Saving…">
          Save
        </BusyButton>
      </Group>
    </form>
  )
}
