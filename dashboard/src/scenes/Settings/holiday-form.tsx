import { Button, Group, Radio, TextInput } from '@mantine/core'
import { type Session, sessions } from '@parley/contract/appointment-slots'
import type { BranchSettings } from '@parley/contract/branch-settings'
import { type FormEvent, useState } from 'react'
import { explain } from '../../explain.ts'
import { faultsOf, hasOtherFaults } from '../../form-faults.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { BranchesField } from './branches-field.tsx'
import { type Hours, OtherHours } from './other-hours.tsx'
import { useAddHolidays } from './use-add-holidays.ts'

const fields = ['branch_ids', 'entries.0.start_date', 'entries.0.end_date', 'entries.0.reason', 'entries.0.hours']

/** A range of dates is one entry, at one branch or several: closed, or with other hours. */
export function HolidayForm({ branches, onClose }: { branches: readonly BranchSettings[]; onClose: () => void }) {
  const first = branches[0]
  const [branchIds, setBranchIds] = useState(branches.length === 1 && first ? [first.branch_id] : [])
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [reason, setReason] = useState('')
  const [kind, setKind] = useState('closed')
  const [hours, setHours] = useState<Partial<Record<Session, Hours>>>({})
  const adding = useAddHolidays(onClose)
  const faults = faultsOf(adding.error)
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (adding.isPending) return
    const entry = { start_date: from, end_date: to || from, reason: reason.trim() || null }
    adding.mutate({ branch_ids: branchIds, entries: [kind === 'closed' ? entry : { ...entry, hours }] })
  }
  const date = (label: string, value: string, change: (text: string) => void, name: string, required = false) => (
    <TextInput
      type="date"
      label={label}
      required={required}
      value={value}
      error={faults[`entries.0.${name}`]}
      onChange={(event) => change(event.currentTarget.value)}
    />
  )
  return (
    <Dialog onClose={onClose} size="lg" title="Add a holiday">
      <form className="form-stack" onSubmit={save}>
        <BranchesField branches={branches} value={branchIds} onChange={setBranchIds} error={faults.branch_ids} />
        <div className="pair-fields">
          {date('First day', from, setFrom, 'start_date', true)}
          {date('Last day (the same when empty)', to, setTo, 'end_date')}
        </div>
        <TextInput
          label="Reason (optional)"
          maxLength={200}
          value={reason}
          error={faults['entries.0.reason']}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Radio.Group label="The branch" value={kind} onChange={setKind}>
          <Group mt={6}>
            <Radio value="closed" label="is closed" />
            <Radio value="hours" label="has other hours" />
          </Group>
        </Radio.Group>
        {kind === 'hours' && <OtherHours branch={first} hours={hours} onChange={setHours} faults={faults} />}
        {hasOtherFaults(adding.error, [...fields, ...sessions.map((each) => `entries.0.hours.${each}`)]) && (
          <FailureNote explanation={explain(adding.error)} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Keep as it is
          </Button>
          <BusyButton type="submit" busy={adding.isPending} busyWords="Adding…">
            Add holiday
          </BusyButton>
        </Group>
      </form>
    </Dialog>
  )
}
