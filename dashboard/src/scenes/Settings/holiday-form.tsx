import { Button, Checkbox, Group, Modal, MultiSelect, Radio, TextInput } from '@mantine/core'
import { type Session, sessions } from '@parley/contract/appointment-slots'
import type { BranchSettings } from '@parley/contract/branch-settings'
import { type FormEvent, useState } from 'react'
import { explain } from '../../explain.ts'
import { faultsOf, hasOtherFaults } from '../../form-faults.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { useAddHolidays } from './use-add-holidays.ts'

type Hours = { start: string; end: string }
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
    <Modal opened onClose={onClose} size="lg" title="Add a holiday" closeButtonProps={{ 'aria-label': 'Close' }}>
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
    </Modal>
  )
}

interface BranchesFieldProps {
  branches: readonly BranchSettings[]
  value: string[]
  error?: string | undefined
  onChange: (ids: string[]) => void
}

export function BranchesField({ branches, value, error, onChange }: BranchesFieldProps) {
  const isAll = value.length === branches.length
  return (
    <div>
      <MultiSelect
        label="Branches"
        required
        value={value}
        error={error}
        onChange={onChange}
        data={branches.map((each) => ({ value: each.branch_id, label: each.name }))}
      />
      {branches.length > 1 && (
        <Checkbox
          mt={6}
          label="Every branch"
          checked={isAll}
          onChange={() => onChange(isAll ? [] : branches.map((each) => each.branch_id))}
        />
      )}
    </div>
  )
}

interface OtherHoursProps {
  branch: BranchSettings | undefined
  hours: Partial<Record<Session, Hours>>
  faults: Record<string, string>
  onChange: (hours: Partial<Record<Session, Hours>>) => void
}

function OtherHours({ branch, hours, faults, onChange }: OtherHoursProps) {
  const usual = (session: Session): Hours => branch?.session_hours[session] ?? { start: '09:00', end: '12:00' }
  return (
    <>
      {faults['entries.0.hours'] && <span className="fault">{faults['entries.0.hours']}</span>}
      {sessions.map((session) => {
        const own = hours[session]
        const set = (part: keyof Hours, value: string) =>
          own && onChange({ ...hours, [session]: { ...own, [part]: value } })
        return (
          <fieldset key={session} className="hours">
            <legend>
              <Checkbox
                label={session}
                checked={own !== undefined}
                onChange={(event) => {
                  const { [session]: _, ...rest } = hours
                  onChange(event.currentTarget.checked ? { ...rest, [session]: usual(session) } : rest)
                }}
              />
            </legend>
            {own && (
              <>
                <TextInput
                  type="time"
                  required
                  aria-label={`${session} from`}
                  value={own.start}
                  error={faults[`entries.0.hours.${session}`]}
                  onChange={(event) => set('start', event.currentTarget.value)}
                />
                <span>to</span>
                <TextInput
                  type="time"
                  required
                  aria-label={`${session} to`}
                  value={own.end}
                  onChange={(event) => set('end', event.currentTarget.value)}
                />
              </>
            )}
          </fieldset>
        )
      })}
    </>
  )
}
