import { Stack, Text } from '@mantine/core'
import { placeholdersIn } from '@parley/contract/placeholders'
import { Panel } from '../../ui/panel.tsx'
import { ownPlaceholders, preview } from './agent-draft.ts'
import type { FieldsProps } from './agent-fields.tsx'
import { TemplateInput } from './template-input.tsx'

export function SayFields({ draft, change, faults }: FieldsProps) {
  const found = placeholdersIn(draft.greeting, draft.prompt)
  const own = ownPlaceholders(found)
  return (
    <Panel title="What it says">
      <Stack gap="md">
        <TemplateInput
          label="Greeting"
          description="The first sentence of every call."
          rows={2}
          value={draft.greeting}
          known={own}
          error={faults.greeting}
          onChange={(greeting) => change({ greeting })}
        />
        <Text size="sm" className="preview">
          <span className="dimmed">Heard as: </span>“{preview(draft.greeting)}”
        </Text>
        <TemplateInput
          label="Prompt"
          description="Who it speaks for, what it should find out, what it must not do."
          rows={8}
          value={draft.prompt}
          known={own}
          error={faults.prompt}
          onChange={(prompt) => change({ prompt })}
        />
        <Text size="sm" c="dimmed">
          {found.length === 0
            ? 'No placeholders yet. Click one above to put it in.'
            : `Placeholders used: ${found.join(', ')}.`}
          {own.length > 0 &&
            ` Send ${own.join(', ')} in additional_info with each call; what is missing is left empty.`}
        </Text>
      </Stack>
    </Panel>
  )
}
