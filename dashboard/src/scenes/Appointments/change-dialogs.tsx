import { Button, Group, Text, TextInput } from '@mantine/core'
import type { Appointment } from '@parley/contract/appointments'
import { useState } from 'react'
import { useBranches, useServices } from '../../calendar/queries.ts'
import { hasOtherFaults } from '../../form-faults.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Alternatives } from './alternatives.tsx'
import { SlotPicker } from './slot-picker.tsx'
import { useChangeAppointment } from './use-change.ts'
import { slotText, whoOf } from './wording.ts'

interface DialogProps {
  appointment: Appointment
  onClose: () => void
}

export function CancelAppointment({ appointment, onClose }: DialogProps) {
  const [reason, setReason] = useState('')
  const change = useChangeAppointment()
  const body = { status: 'cancelled', ...(reason.trim() ? { cancellation_reason: reason.trim() } : {}) } as const
  return (
    <Confirm
      title="Cancel this appointment?"
      doIt="Cancel the appointment"
      doing="Cancelling…"
      busy={change.isPending}
      failure={change.error}
      onClose={onClose}
      onConfirm={() => change.mutate({ appointment, body }, { onSuccess: onClose })}
    >
      <p className="plain">
        {whoOf(appointment)}, {slotText(appointment)}. The place becomes free for somebody else.
      </p>
      <TextInput
        mt="md"
        label="Reason (optional)"
        maxLength={500}
        data-autofocus
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Confirm>
  )
}

/** An appointment of the agent's counts against its places wherever it goes. */
export function Reschedule({ appointment, onClose }: DialogProps) {
  const change = useChangeAppointment()
  const branches = useBranches()
  const services = useServices()
  const [slotId, setSlotId] = useState<string | null>(null)
  const [missing, setMissing] = useState(false)
  const move = (slot_id: string | null) => {
    setMissing(slot_id === null)
    if (slot_id === null || change.isPending) return
    setSlotId(slot_id)
    change.mutate({ appointment, body: { slot_id } }, { onSuccess: onClose })
  }
  return (
    <Dialog onClose={onClose} size="lg" title="Move to another time">
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          move(slotId)
        }}
      >
        <Text>
          {whoOf(appointment)}, now {slotText(appointment)}
        </Text>
        <Loaded query={branches}>
          {(all) => {
            const branch = all.find((each) => each.branch_id === appointment.branch_id)
            return (
              branch && (
                <SlotPicker
                  branch={branch}
                  services={services.data ?? []}
                  serviceId={appointment.appointment_type_id}
                  bookedBy={appointment.booked_by}
                  value={slotId}
                  onChange={(slot) => setSlotId(slot.slot_id)}
                  error={missing ? 'Choose a time.' : undefined}
                />
              )
            )
          }}
        </Loaded>
        {hasOtherFaults(change.error, []) && (
          <Alternatives failure={change.error} busy={change.isPending} onChoose={(slot) => move(slot.slot_id)} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Keep as it is
          </Button>
          <BusyButton type="submit" busy={change.isPending} busyWords="Moving…">
            Move
          </BusyButton>
        </Group>
      </form>
    </Dialog>
  )
}
