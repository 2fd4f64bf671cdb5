import { Alert, Button, Checkbox, Group, Select, TextInput } from '@mantine/core'
import { type Session, sessions } from '@parley/contract/appointment-slots'
import type { BranchSettings, ChangedBranch } from '@parley/contract/branch-settings'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { write } from '../../api.ts'
import { refreshCalendar } from '../../calendar/queries.ts'
import { explain } from '../../explain.ts'
import { faultsOf, hasOtherFaults } from '../../form-faults.ts'
import { useSignedIn } from '../../session.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Icon } from '../../ui/icons.tsx'
import { toast } from '../../ui/toast.ts'
import { timeZones } from './time-zones.ts'

const usualHours: BranchSettings['session_hours'] = {
  Morning: { start: '09:00', end: '12:00' },
  Afternoon: { start: '12:00', end: '17:00' },
  Evening: { start: '17:00', end: '20:00' },
}
const fields = ['name', 'timezone', ...sessions.map((each) => `session_hours.${each}`)]

/** Without a branch it makes one. Another zone is asked about: it changes when people come. */
export function BranchForm({ branch, onClose }: { branch?: BranchSettings; onClose: () => void }) {
  const client = useQueryClient()
  const { organisation } = useSignedIn()
  const [name, setName] = useState(branch?.name ?? '')
  const [timezone, setTimezone] = useState(branch?.timezone ?? organisation.timezone)
  const [hours, setHours] = useState(branch?.session_hours ?? usualHours)
  const [isSure, setSure] = useState(false)
  const isMoving = branch !== undefined && timezone !== branch.timezone
  const saving = useMutation({
    mutationFn: (): Promise<BranchSettings & Partial<ChangedBranch['data']>> => {
      const body = { name: name.trim(), timezone, session_hours: hours }
      return branch
        ? write<ChangedBranch['data']>('PATCH', `/api/branches/${branch.branch_id}`, body)
        : write<BranchSettings>('POST', '/api/branches', body)
    },
    onSuccess: async (saved) => {
      const moved = saved.moved_appointments ?? 0
      toast(moved > 0 ? `${saved.name} is saved; ${moved} appointments are in the new zone` : `${saved.name} is saved`)
      onClose()
      await refreshCalendar(client)
    },
  })
  const faults = faultsOf(saving.error)
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (!saving.isPending && (!isMoving || isSure)) saving.mutate()
  }
  const setTime = (session: Session, part: 'start' | 'end', value: string) =>
    setHours((old) => ({ ...old, [session]: { ...old[session], [part]: value } }))
  return (
    <Dialog onClose={onClose} size="lg" title={branch ? `Edit ${branch.name}` : 'Add a branch'}>
      <form className="form-stack" onSubmit={save}>
        <TextInput
          label="Name"
          required
          maxLength={100}
          data-autofocus
          value={name}
          error={faults.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label="Time zone"
          description="Type a city to search"
          searchable
          allowDeselect={false}
          nothingFoundMessage="No zone of that name"
          value={timezone}
          error={faults.timezone}
          data={timeZones(timezone)}
          limit={60}
          onChange={(value) => value && setTimezone(value)}
        />
        {isMoving && (
          <Alert icon={<Icon name="alert" />} title={`From ${branch.timezone} to ${timezone}`}>
            Appointments still to come keep their time of day, as people were told it: 09:00 stays 09:00, but in the new
            zone. Programs that listen hear of each of them. What is over stays as it was.
            <Checkbox
              mt="sm"
              label="Yes, that is what I want"
              checked={isSure}
              onChange={(event) => setSure(event.currentTarget.checked)}
            />
          </Alert>
        )}
        {sessions.map((session) => (
          <fieldset key={session} className="hours">
            <legend>{session}</legend>
            <TextInput
              type="time"
              required
              aria-label={`${session} from`}
              value={hours[session].start}
              error={faults[`session_hours.${session}`]}
              onChange={(event) => setTime(session, 'start', event.currentTarget.value)}
            />
            <span>to</span>
            <TextInput
              type="time"
              required
              aria-label={`${session} to`}
              value={hours[session].end}
              onChange={(event) => setTime(session, 'end', event.currentTarget.value)}
            />
          </fieldset>
        ))}
        {hasOtherFaults(saving.error, fields) && <FailureNote explanation={explain(saving.error)} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Keep as it is
          </Button>
          <BusyButton type="submit" busy={saving.isPending} busyWords="Saving…" disabled={isMoving && !isSure}>
            {branch ? 'Save' : 'Add branch'}
          </BusyButton>
        </Group>
      </form>
    </Dialog>
  )
}
