import { Checkbox, MultiSelect } from '@mantine/core'
import type { BranchSettings } from '@parley/contract/branch-settings'

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
