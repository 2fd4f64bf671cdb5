import { Button, Group, Stack } from '@mantine/core'
import type { PhoneNumber } from '@parley/contract/agents'
import type { BranchSettings } from '@parley/contract/branch-settings'
import { type FormEvent, useState } from 'react'
import { explain } from '../../explain.ts'
import { faultsOf, hasOtherFaults } from '../../form-faults.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import type { Draft } from './agent-draft.ts'
import './agents.css'
import { RetryFields, WhoFields } from './agent-fields.tsx'
import { SayFields } from './say-fields.tsx'

interface AgentFormProps {
  start: Draft
  numbers: readonly PhoneNumber[]
  branches: readonly Pick<BranchSettings, 'branch_id' | 'name'>[]
  failure: unknown
  busy: boolean
  saveWords: string
  onSave: (draft: Draft) => void
  onCancel?: () => void
}

const fields = [
  'name',
  'type',
  'language',
  'prompt',
  'greeting',
  'number',
  'branch_id',
  'retry.max_attempts',
  'retry.delay',
  'voicemail.message',
  'transfer_to',
]
export function AgentForm({ start, numbers, branches, failure, busy, saveWords, onSave, onCancel }: AgentFormProps) {
  const [draft, setDraft] = useState(start)
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const faults = faultsOf(failure)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy) onSave(draft)
  }
  return (
    <form onSubmit={submit} noValidate aria-label="Agent">
      <Stack gap="lg">
        {hasOtherFaults(failure, fields) && <FailureNote explanation={explain(failure)} />}
        <WhoFields draft={draft} change={change} faults={faults} numbers={numbers} branches={branches} />
        <SayFields draft={draft} change={change} faults={faults} />
        <RetryFields draft={draft} change={change} faults={faults} />
        <Group>
          <BusyButton type="submit" busy={busy} busyWords="Saving…">
            {saveWords}
          </BusyButton>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
