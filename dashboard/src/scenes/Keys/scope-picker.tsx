import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import type { Scope } from '@parley/contract/scopes'
import { presets, samePresets, scopeGroups, scopeWords } from './scope-words.ts'

interface ScopePickerProps {
  value: Scope[]
  error?: string | undefined
  onChange: (scopes: Scope[]) => void
}

export function ScopePicker({ value, error, onChange }: ScopePickerProps) {
  return (
    <Checkbox.Group<Scope> label="What this key may do" error={error} value={value} onChange={onChange}>
      <Group gap="xs" mt="xs" role="group" aria-label="Ready-made choices">
        {presets.map(({ label, scopes }) => {
          const isChosen = samePresets(value, scopes)
          return (
            <Button
              key={label}
              size="xs"
              radius="xl"
              variant={isChosen ? 'light' : 'default'}
              aria-pressed={isChosen}
              onClick={() => onChange([...scopes])}
            >
              {label}
            </Button>
          )
        })}
      </Group>
      <div className="scopes">
        {scopeGroups.map(({ label, scopes }) => (
          <Stack key={label} gap="xs" role="group" aria-label={label}>
            <Text size="sm" fw={600} aria-hidden="true">
              {label}
            </Text>
            {scopes.map((scope) => (
              <Checkbox
                key={scope}
                value={scope}
                label={scopeWords[scope].label}
                description={
                  <>
                    {scopeWords[scope].text} <code>{scope}</code>
                  </>
                }
              />
            ))}
          </Stack>
        ))}
      </div>
    </Checkbox.Group>
  )
}
