import { ActionIcon, Button, Checkbox, Group, SegmentedControl, TextInput } from '@mantine/core'
import type { BranchSettings } from '@parley/contract/branch-settings'
import { BranchPicker } from '../../calendar/branch-picker.tsx'
import { addDays, isDate, mondayOf } from '../../calendar/dates.ts'
import { Icon } from '../../ui/icons.tsx'
import { useFilters } from '../../use-filters.ts'

interface WeekBarProps {
  branches: readonly BranchSettings[]
  branch: BranchSettings
  monday: string
  today: string
  view: 'grid' | 'table'
}

export function WeekBar({ branches, branch, monday, today, view }: WeekBarProps) {
  const { filters, set } = useFilters()
  const go = (date: string) => set({ week: mondayOf(date) === mondayOf(today) ? undefined : mondayOf(date) })
  return (
    <div className="bar-row">
      <BranchPicker
        branches={branches}
        value={branch.branch_id}
        onChange={(id) => set({ branch: id, slot: undefined })}
      />
      <Group gap={6} align="flex-end">
        <ActionIcon variant="default" size="lg" aria-label="The week before" onClick={() => go(addDays(monday, -7))}>
          <Icon name="back" size={16} />
        </ActionIcon>
        <TextInput
          type="date"
          label="Week of"
          value={monday}
          onChange={({ currentTarget }) => isDate(currentTarget.value) && go(currentTarget.value)}
        />
        <ActionIcon variant="default" size="lg" aria-label="The week after" onClick={() => go(addDays(monday, 7))}>
          <Icon name="forward" size={16} />
        </ActionIcon>
        <Button variant="default" disabled={monday === mondayOf(today)} onClick={() => go(today)}>
          This week
        </Button>
      </Group>
      <SegmentedControl
        aria-label="View"
        value={view}
        onChange={(next) => set({ view: next })}
        data={[
          { value: 'grid', label: 'Week' },
          { value: 'table', label: 'Table' },
        ]}
      />
      <Checkbox
        className="bar-check"
        label="Show switched off"
        checked={filters.disabled === 'true'}
        onChange={(event) => set({ disabled: event.currentTarget.checked ? 'true' : undefined })}
      />
    </div>
  )
}
