import { NativeSelect, Text } from '@mantine/core'
import { callFields, columnFault, fieldLabels, type Target, targetFrom, targetValue } from './columns.ts'

interface ColumnsEditorProps {
  headings: readonly string[]
  targets: readonly Target[]
  onChange: (targets: Target[]) => void
}

export function ColumnsEditor({ headings, targets, onChange }: ColumnsEditorProps) {
  const fault = columnFault(targets)
  return (
    <div>
      <div className="bulk-columns">
        {headings.map((heading, at) => (
          <NativeSelect
            // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
            key={at}
            label={heading.trim() || `Column ${at + 1}`}
            value={targetValue(targets[at] ?? { kind: 'skip' })}
            onChange={(event) => {
              const chosen = targetFrom(event.currentTarget.value, heading)
              onChange(targets.map((target, index) => (index === at ? chosen : target)))
            }}
            data={[
              ...callFields.map((field) => ({ value: field, label: fieldLabels[field] })),
              { value: 'info', label: 'Told to the agent', disabled: heading.trim() === '' },
              { value: 'skip', label: 'Left out' },
            ]}
          />
        ))}
      </div>
      {fault && (
        <Text size="sm" mt="sm" c="var(--mantine-color-error)" role="alert">
          {fault}
        </Text>
      )}
    </div>
  )
}
