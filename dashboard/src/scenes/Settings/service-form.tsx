import { Button, Group, MultiSelect, NumberInput, TextInput } from '@mantine/core'
import type { BranchSettings, ServiceSettings } from '@parley/contract/branch-settings'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { write } from '../../api.ts'
import { refreshCalendar } from '../../calendar/queries.ts'
import { explain } from '../../explain.ts'
import { faultsOf, hasOtherFaults } from '../../form-faults.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { toast } from '../../ui/toast.ts'

interface ServiceFormProps {
  branches: readonly BranchSettings[]
  service?: ServiceSettings
  onClose: () => void
}

const fields = ['name', 'duration_minutes', 'branch_ids']

export function ServiceForm({ branches, service, onClose }: ServiceFormProps) {
  const client = useQueryClient()
  const [name, setName] = useState(service?.name ?? '')
  const [minutes, setMinutes] = useState<string | number>(service?.duration_minutes ?? 30)
  const [branchIds, setBranchIds] = useState(service?.branch_ids ?? [])
  const saving = useMutation({
    mutationFn: () => {
      const body = { name: name.trim(), duration_minutes: Number(minutes), branch_ids: branchIds }
      return service
        ? write<ServiceSettings>('PATCH', `/api/services/${service.appointment_type_id}`, body)
        : write<ServiceSettings>('POST', '/api/services', body)
    },
    onSuccess: async (saved) => {
      toast(`${saved.name} is saved`)
      onClose()
      await refreshCalendar(client)
    },
  })
  const faults = faultsOf(saving.error)
  return (
    <Dialog onClose={onClose} title={service ? `Edit ${service.name}` : 'Add a service'}>
      <form
        className="form-stack"
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          if (!saving.isPending) saving.mutate()
        }}
      >
        <TextInput
          label="Name"
          required
          maxLength={100}
          data-autofocus
          value={name}
          error={faults.name}
          description={service ? 'What is booked keeps the name it was booked with' : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NumberInput
          label="Takes (minutes)"
          required
          min={1}
          max={1440}
          allowDecimal={false}
          value={minutes}
          error={faults.duration_minutes}
          onChange={setMinutes}
        />
        <MultiSelect
          label="Offered at"
          description="Leave empty for every branch"
          clearable
          value={branchIds}
          error={faults.branch_ids}
          onChange={setBranchIds}
          data={branches.map((each) => ({ value: each.branch_id, label: each.name }))}
        />
        {hasOtherFaults(saving.error, fields) && <FailureNote explanation={explain(saving.error)} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Keep as it is
          </Button>
          <BusyButton type="submit" busy={saving.isPending} busyWords="Saving…">
            {service ? 'Save' : 'Add service'}
          </BusyButton>
        </Group>
      </form>
    </Dialog>
  )
}
