import { Checkbox, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { type PhoneNumber, type RetryReason, retryReasons, type VoicemailAction } from '@parley/contract/agents'
import type { BranchSettings } from '@parley/contract/branch-settings'
import { Panel } from '../../ui/panel.tsx'
import type { Draft } from './agent-draft.ts'
import { languageName, languages } from './languages.ts'
import { reasonLabels, retryWords } from './retry-words.ts'

export interface FieldsProps {
  draft: Draft
  change: (part: Partial<Draft>) => void
  faults: Record<string, string>
}

interface WhoFieldsProps extends FieldsProps {
  numbers: readonly PhoneNumber[]
  branches: readonly Pick<BranchSettings, 'branch_id' | 'name'>[]
}

export function WhoFields({ draft, change, faults, numbers, branches }: WhoFieldsProps) {
  const known = languages.some(({ value }) => value === draft.language)
  return (
    <Panel title="Who it is">
      <div className="fields">
        <TextInput
          label="Name"
          required
          value={draft.name}
          error={faults.name}
          onChange={(e) => change({ name: e.currentTarget.value })}
        />
        <NativeSelect
          label="Type"
          description="Outbound agents place calls; inbound ones take them."
          value={draft.type}
          error={faults.type}
          data={[
            { value: 'outbound', label: 'Outbound' },
            { value: 'inbound', label: 'Inbound' },
          ]}
          onChange={(e) => change({ type: e.currentTarget.value as Draft['type'] })}
        />
        <NativeSelect
          label="Language"
          description="The voice follows the language. A call may ask for another one."
          value={draft.language}
          error={faults.language}
          data={
            known
              ? [...languages]
              : [...languages, { value: draft.language, label: `${languageName(draft.language)} (${draft.language})` }]
          }
          onChange={(e) => change({ language: e.currentTarget.value })}
        />
        <NativeSelect
          label="Number"
          description="Calls go out from it."
          value={draft.number}
          error={faults.number}
          data={[
            { value: '', label: 'No number' },
            ...numbers.map(({ number, carrier }) => ({ value: number, label: `${number} · ${carrier}` })),
          ]}
          onChange={(e) => change({ number: e.currentTarget.value })}
        />
        <NativeSelect
          label="Branch"
          description="Whose calendar it books in."
          value={draft.branch_id}
          error={faults.branch_id}
          data={[
            { value: '', label: 'No branch: it books nothing' },
            ...branches.map(({ branch_id, name }) => ({ value: branch_id, label: name })),
          ]}
          onChange={(e) => change({ branch_id: e.currentTarget.value })}
        />
        <TextInput
          label="Put people through to"
          description="The phone of a colleague, for those who ask for a human; on SIP lines. Empty: the call just ends."
          inputMode="tel"
          placeholder="+14155550123"
          value={draft.transfer_to}
          error={faults.transfer_to}
          onChange={(e) => change({ transfer_to: e.currentTarget.value })}
        />
      </div>
    </Panel>
  )
}

const secondsOf = (delay: string): number => {
  const found = /^(\d+)(ms|s|m|h)$/.exec(delay.trim())
  return found ? Number(found[1]) * ({ ms: 0.001, s: 1, m: 60, h: 3600 }[found[2] ?? 's'] ?? 1) : 0
}

export function RetryFields({ draft, change, faults }: FieldsProps) {
  return (
    <Panel title="When nobody is reached">
      <div className="fields">
        <TextInput
          label="Attempts"
          description="The first call counts: 1 means no retry."
          inputMode="numeric"
          value={draft.attempts}
          error={faults['retry.max_attempts']}
          onChange={(e) => change({ attempts: e.currentTarget.value })}
        />
        <TextInput
          label="Wait in between"
          description="Such as 60s, 5m or 1h."
          value={draft.delay}
          error={faults['retry.delay']}
          onChange={(e) => change({ delay: e.currentTarget.value })}
        />
        <NativeSelect
          label="When a machine answers"
          value={draft.voicemail}
          data={[
            { value: 'hang_up', label: 'Hang up' },
            { value: 'leave_message', label: 'Leave a message after the tone' },
          ]}
          onChange={(e) => change({ voicemail: e.currentTarget.value as VoicemailAction })}
        />
        {draft.voicemail === 'leave_message' && (
          <TextInput
            label="Message"
            description="What is said after the tone."
            value={draft.message}
            error={faults['voicemail.message']}
            onChange={(e) => change({ message: e.currentTarget.value })}
          />
        )}
        <Checkbox.Group label="Try again on" value={draft.on} onChange={(on) => change({ on: on as RetryReason[] })}>
          <Group mt="xs" gap="md">
            {retryReasons.map((each) => (
              <Checkbox key={each} value={each} label={reasonLabels[each]} />
            ))}
          </Group>
        </Checkbox.Group>
      </div>
      <Text size="sm" mt="md" c="dimmed">
        {retryWords({
          max_attempts: Number(draft.attempts) || 1,
          delay_seconds: secondsOf(draft.delay),
          on: draft.on,
        })}
        .
      </Text>
    </Panel>
  )
}
