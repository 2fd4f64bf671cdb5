import { NativeSelect, Text, TextInput } from '@mantine/core'
import type { ApiKeyBody, CreatedApiKey } from '@parley/contract/api-keys'
import type { Scope } from '@parley/contract/scopes'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { write } from '../../api.ts'
import { faultsOf } from '../../form-faults.ts'
import { useSignedIn } from '../../session.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { type ExpiryChoice, expiryChoices, expiryOf, tomorrowIn } from './expiry.ts'
import { ScopePicker } from './scope-picker.tsx'
import { presets } from './scope-words.ts'

interface NewKeyProps {
  onMade: (key: CreatedApiKey) => void
  onClose: () => void
}

export function NewKey({ onMade, onClose }: NewKeyProps) {
  const zone = useSignedIn().organisation.timezone
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<Scope[]>([...(presets[0]?.scopes ?? [])])
  const [choice, setChoice] = useState<ExpiryChoice>('never')
  const [date, setDate] = useState(() => tomorrowIn(zone, new Date()))
  const making = useMutation({
    mutationFn: (body: ApiKeyBody) => write<CreatedApiKey>('POST', '/api/keys', body),
    onSuccess: (key) => {
      void client.invalidateQueries({ queryKey: ['keys'] })
      onMade(key)
    },
  })
  const faults = faultsOf(making.error)
  const expiresAt = expiryOf(choice, date, zone, new Date())
  return (
    <FormDialog
      title="New API key"
      doIt="Make the key"
      doing="Making it…"
      busy={making.isPending}
      failure={making.error}
      fields={['name', 'scopes', 'expires_at']}
      onSubmit={() => making.mutate({ name, scopes, expires_at: expiresAt ?? (choice === 'date' ? date : null) })}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="What will use it, so that you know later which one to revoke."
        placeholder="Website booking form"
        maxLength={100}
        autoComplete="off"
        data-autofocus
        value={name}
        error={faults.name && (name.trim() === '' ? 'Give the key a name.' : faults.name)}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <ScopePicker
        value={scopes}
        error={faults.scopes && (scopes.length === 0 ? 'Choose at least one.' : faults.scopes)}
        onChange={setScopes}
      />
      <NativeSelect
        label="Expires"
        data={[...expiryChoices]}
        value={choice}
        error={choice === 'date' ? undefined : faults.expires_at}
        onChange={(event) => setChoice(event.currentTarget.value as ExpiryChoice)}
      />
      {choice === 'date' && (
        <TextInput
          type="date"
          label="Last day"
          description={`Until its end, in ${zone} time.`}
          value={date}
          error={faults.expires_at}
          onChange={(event) => setDate(event.currentTarget.value)}
        />
      )}
      <Text size="sm" c="dimmed">
        The key is shown once, right after it is made.
      </Text>
    </FormDialog>
  )
}
