import { Button, Checkbox, Group, NativeSelect, Text } from '@mantine/core'
import type { BranchSettings } from '@parley/contract/branch-settings'
import { type FormEvent, useState } from 'react'
import { plainDay } from '../../calendar/dates.ts'
import { explain } from '../../explain.ts'
import { faultsOf, hasOtherFaults } from '../../form-faults.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { BranchesField } from './branches-field.tsx'
import { comingOf, type PackName, packNames } from './holiday-packs.ts'
import { useAddHolidays } from './use-add-holidays.ts'

interface HolidayPackProps {
  branches: readonly BranchSettings[]
  today: string
  onClose: () => void
}

/** A year's public holidays of a country, to choose from. */
export function HolidayPack({ branches, today, onClose }: HolidayPackProps) {
  const [pack, setPack] = useState<PackName>(branches[0]?.timezone.startsWith('America/') ? 'United States' : 'India')
  const [left, setLeft] = useState<string[]>([])
  const [branchIds, setBranchIds] = useState(branches.map((each) => each.branch_id))
  const adding = useAddHolidays(onClose)
  const days = comingOf(pack, today)
  const chosen = days.filter((each) => !left.includes(each.date))
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (adding.isPending || chosen.length === 0) return
    const entries = chosen.map(({ date, reason }) => ({ start_date: date, end_date: date, reason }))
    adding.mutate({ branch_ids: branchIds, entries })
  }
  return (
    <Dialog onClose={onClose} title="Public holidays">
      <form className="form-stack" onSubmit={add}>
        <NativeSelect
          label="Country"
          value={pack}
          onChange={(event) => setPack(event.currentTarget.value as PackName)}
          data={packNames}
        />
        <BranchesField
          branches={branches}
          value={branchIds}
          onChange={setBranchIds}
          error={faultsOf(adding.error).branch_ids}
        />
        <Text size="sm" c="dimmed">
          The next twelve months. Holidays that follow the moon are not among them: add those yourself.
        </Text>
        {days.map(({ date, reason }) => (
          <Checkbox
            key={date}
            label={`${plainDay(date)} · ${reason}`}
            checked={!left.includes(date)}
            onChange={(event) =>
              setLeft(event.currentTarget.checked ? left.filter((each) => each !== date) : [...left, date])
            }
          />
        ))}
        {hasOtherFaults(adding.error, ['branch_ids']) && <FailureNote explanation={explain(adding.error)} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Keep as it is
          </Button>
          <BusyButton type="submit" busy={adding.isPending} busyWords="Adding…" disabled={chosen.length === 0}>
            Add {chosen.length}
          </BusyButton>
        </Group>
      </form>
    </Dialog>
  )
}
