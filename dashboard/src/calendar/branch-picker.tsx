import { NativeSelect } from '@mantine/core'
import type { BranchSettings } from '@parley/contract/branch-settings'

interface BranchPickerProps {
  branches: readonly BranchSettings[]
  value: string
  onChange: (branchId: string) => void
  /** When every branch may be meant. */
  everywhere?: string
}

export function BranchPicker({ branches, value, onChange, everywhere }: BranchPickerProps) {
  return (
    <NativeSelect
      label="Branch"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[
        ...(everywhere ? [{ value: '', label: everywhere }] : []),
        ...branches.map((each) => ({ value: each.branch_id, label: each.name })),
      ]}
    />
  )
}
