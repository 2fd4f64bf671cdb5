import { Button, Checkbox, Group, Text, TextInput } from '@mantine/core'
import type { BranchSettings } from '@parley/contract/branch-settings'
import type { RegenerateAnswer } from '@parley/contract/slot-dates'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { write } from '../../api.ts'
import { addDays, shortDay, todayIn } from '../../calendar/dates.ts'
import { refreshCalendar } from '../../calendar/queries.ts'
import { explain } from '../../explain.ts'
import { faultsOf, hasOtherFaults } from '../../form-faults.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { toast } from '../../ui/toast.ts'

type Result = RegenerateAnswer['data']

/** Booked dates keep what they had when a rule changes; here they are brought to it. First what would happen. */
export function Regenerate({ branch, onClose }: { branch: BranchSettings; onClose: () => void }) {
  const client = useQueryClient()
  const today = todayIn(branch.timezone, new Date())
  const [range, setRange] = useState({ start_date: today, end_date: addDays(today, 27), keep_overrides: true })
  const [preview, setPreview] = useState<Result | null>(null)
  const run = useMutation({
    mutationFn: (dry_run: boolean) =>
      write<Result>('POST', '/api/v1/appointment-slots/schedule-tracking/regenerate', {
        branch_id: branch.branch_id,
        ...range,
        dry_run,
      }),
    onSuccess: async (result, isDry) => {
      if (isDry) return setPreview(result)
      toast(`${result.created + result.updated} dates are in line with the rules`)
      onClose()
      await refreshCalendar(client)
    },
  })
  const change = (part: Partial<typeof range>) => {
    setRange((old) => ({ ...old, ...part }))
    setPreview(null)
  }
  const faults = faultsOf(run.error)
  const date = (name: 'start_date' | 'end_date', label: string) => (
    <TextInput
      type="date"
      required
      label={label}
      value={range[name]}
      error={faults[name]}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
    />
  )
  return (
    <Dialog onClose={onClose} size="lg" title="Bring dates in line with the rules">
      <form
        className="stack"
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          if (!run.isPending) run.mutate(preview === null)
        }}
      >
        <Text size="sm">
          When a weekly window changes, dates that are booked keep the places they had. This gives them the new ones and
          counts again. No booking is ever dropped.
        </Text>
        <div className="pair">
          {date('start_date', 'From')}
          {date('end_date', 'To')}
        </div>
        <Checkbox
          label="Keep what was set for single dates"
          checked={range.keep_overrides}
          onChange={(event) => change({ keep_overrides: event.currentTarget.checked })}
        />
        {preview && <Preview result={preview} />}
        {hasOtherFaults(run.error, ['start_date', 'end_date']) && <FailureNote explanation={explain(run.error)} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Keep as it is
          </Button>
          <BusyButton type="submit" busy={run.isPending} busyWords={preview ? 'Changing…' : 'Looking…'}>
            {preview ? 'Do it' : 'See what would happen'}
          </BusyButton>
        </Group>
      </form>
    </Dialog>
  )
}

function Preview({ result }: { result: Result }) {
  return (
    <section aria-label="What would happen" aria-live="polite">
      <Facts>
        <Fact name="Dates made">{result.created}</Fact>
        <Fact name="Dates changed">{result.updated}</Fact>
        <Fact name="Dates left as they are">{result.unchanged}</Fact>
        <Fact name="Counters mended">{result.repaired_counters}</Fact>
        <Fact name="Conflicts">{result.conflicts.length}</Fact>
      </Facts>
      {result.conflicts.length > 0 && (
        <ul className="copy-list">
          {result.conflicts.map((each) => (
            <li key={`${each.slot_id} ${each.code}`}>
              {shortDay(each.date)}: {each.message}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
