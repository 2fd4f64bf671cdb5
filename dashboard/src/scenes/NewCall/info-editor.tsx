import { ActionIcon, Button, Text, TextInput } from '@mantine/core'
import type { Agent } from '@parley/contract/agents'
import { Icon } from '../../ui/icons.tsx'
import { Mark } from '../../ui/mark.tsx'
import { type CallForm, type InfoPair, infoLimits, isOwnPlaceholder, missingPlaceholders } from './call-form.ts'

interface InfoEditorProps {
  form: CallForm
  agent: Agent | undefined
  fault: string | undefined
  onChange: (info: InfoPair[]) => void
}

export function InfoEditor({ form, agent, fault, onChange }: InfoEditorProps) {
  const { info } = form
  const set = (id: number, change: Partial<InfoPair>) =>
    onChange(info.map((pair) => (pair.id === id ? { ...pair, ...change } : pair)))
  const add = (key = '') => onChange([...info, { id: Math.max(0, ...info.map((pair) => pair.id)) + 1, key, value: '' }])
  return (
    <fieldset className="info">
      <legend>
        What the agent should know{' '}
        <span className="dimmed small">
          {info.length}/{infoLimits.pairs}
        </span>
      </legend>
      {agent && <Placeholders form={form} placeholders={agent.placeholders} onAdd={add} />}
      {info.map((pair, at) => (
        <div className="info-pair" key={pair.id}>
          <TextInput
            aria-label={`Name of value ${at + 1}`}
            placeholder="order_id"
            maxLength={infoLimits.keyLength}
            value={pair.key}
            onChange={(event) => set(pair.id, { key: event.currentTarget.value })}
          />
          <TextInput
            aria-label={`Value ${at + 1}${pair.key ? `: ${pair.key}` : ''}`}
            placeholder="A-1042"
            maxLength={infoLimits.valueLength}
            value={pair.value}
            onChange={(event) => set(pair.id, { value: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={`Remove value ${at + 1}`}
            onClick={() => onChange(info.filter((each) => each.id !== pair.id))}
          >
            <Icon name="close" size={16} />
          </ActionIcon>
        </div>
      ))}
      {fault && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {fault}
        </Text>
      )}
      <Button
        variant="default"
        size="xs"
        leftSection={<Icon name="plus" size={14} />}
        disabled={info.length >= infoLimits.pairs}
        onClick={() => add()}
      >
        Add a value
      </Button>
    </fieldset>
  )
}

interface PlaceholdersProps {
  form: CallForm
  placeholders: readonly string[]
  onAdd: (key: string) => void
}

/** What the prompt and the greeting speak of, and which of it nobody has filled in. */
function Placeholders({ form, placeholders, onAdd }: PlaceholdersProps) {
  if (placeholders.length === 0) return null
  const missing = missingPlaceholders(form, placeholders)
  return (
    <div className="placeholders">
      <Text size="sm" c="dimmed">
        This agent speaks of {placeholders.length === 1 ? 'one value' : `${placeholders.length} values`}. What is
        missing stays empty in what it says.
      </Text>
      <ul>
        {placeholders.map((name) => (
          <li key={name}>
            <Mark tone={missing.includes(name) ? 'warn' : 'good'}>
              {name} {missing.includes(name) ? 'is missing' : 'is filled in'}
            </Mark>
            {missing.includes(name) && !isOwnPlaceholder(name) && !form.info.some(({ key }) => key.trim() === name) && (
              <Button size="compact-xs" variant="default" onClick={() => onAdd(name)}>
                Add {name}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
