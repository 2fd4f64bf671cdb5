import { Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import type { AgentChoices, PhoneNumber } from '@parley/contract/agents'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { read, write } from '../../api.ts'
import { explain } from '../../explain.ts'
import { faultsOf, hasOtherFaults } from '../../form-faults.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { toast } from '../../ui/toast.ts'
import { carrierName } from './carrier-words.ts'
import { useTrunks } from './queries.ts'

interface NumberDialogProps {
  /** null: a new one. */
  number: PhoneNumber | null
  onClose: () => void
}

/** Rendered while it is open. */
export function NumberDialog({ number, onClose }: NumberDialogProps) {
  const client = useQueryClient()
  const [text, setText] = useState(number?.number ?? '')
  const [carrier, setCarrier] = useState<string>(number?.carrier ?? 'simulator')
  const [trunk, setTrunk] = useState('')
  const trunks = useTrunks()
  const [lines, setLines] = useState(String(number?.max_concurrent ?? 10))
  const choices = useQuery({
    queryKey: ['agents', 'choices'],
    queryFn: ({ signal }) => read<AgentChoices>('/api/agents/choices', {}, signal),
  })
  const saving = useMutation({
    mutationFn: () => {
      const max_concurrent = /^\d+$/.test(lines) ? Number(lines) : Number.NaN
      return number
        ? write('PATCH', `/api/numbers/${number.phone_number_id}`, { max_concurrent })
        : write('POST', '/api/numbers', {
            number: text.replace(/[\s()-]/g, ''),
            carrier,
            max_concurrent,
            ...(carrier === 'sip' && trunk !== '' ? { trunk_id: trunk } : {}),
          })
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['calls', 'numbers'] })
      toast(number ? 'The number is changed.' : 'The number is added.')
      onClose()
    },
  })
  const faults = faultsOf(saving.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!saving.isPending) saving.mutate()
  }
  return (
    <Dialog onClose={onClose} centered title={number ? `Change ${number.number}` : 'Add a number'}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {hasOtherFaults(saving.error, ['number', 'carrier', 'trunk_id', 'max_concurrent']) && (
            <FailureNote explanation={explain(saving.error)} />
          )}
          {!number && (
            <>
              <NativeSelect
                label="Carrier"
                description="The simulator plays the people who are called; it rings no real phone."
                value={carrier}
                error={faults.carrier}
                data={(choices.data?.carriers ?? ['simulator']).map((each) => ({
                  value: each,
                  label: carrierName(each),
                }))}
                onChange={(event) => setCarrier(event.currentTarget.value)}
              />
              {carrier === 'sip' && (
                <NativeSelect
                  label="Trunk"
                  description="The connection to the carrier that this number belongs to."
                  value={trunk}
                  error={faults.trunk_id}
                  data={[
                    { value: '', label: trunks.data?.length === 0 ? 'Add a trunk first' : 'Choose one' },
                    ...(trunks.data ?? []).map((each) => ({ value: each.trunk_id, label: each.name })),
                  ]}
                  onChange={(event) => setTrunk(event.currentTarget.value)}
                />
              )}
              <TextInput
                label="Number"
                description="With country code, such as +15005550000."
                inputMode="tel"
                data-autofocus
                value={text}
                error={faults.number}
                onChange={(event) => setText(event.currentTarget.value)}
              />
            </>
          )}
          <TextInput
            label="Calls at the same time"
            description="Further calls wait for a free line, the oldest first."
            inputMode="numeric"
            value={lines}
            error={faults.max_concurrent}
            onChange={(event) => setLines(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <BusyButton type="submit" busy={saving.isPending} busyWords="Saving…">
              {number ? 'Save' : 'Add the number'}
            </BusyButton>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
