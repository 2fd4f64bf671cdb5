import { Button, Group, NativeSelect, Text, Textarea, TextInput } from '@mantine/core'
import type { Appointment, CreateAppointmentBody } from '@parley/contract/appointments'
import type { BranchSettings, ServiceSettings } from '@parley/contract/branch-settings'
import type { SlotOnDate } from '@parley/contract/slot-dates'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { write } from '../../api.ts'
import { useIdempotencyKey } from '../../calendar/idempotency.ts'
import { refreshCalendar, servicesOf } from '../../calendar/queries.ts'
import { faultsOf, hasOtherFaults } from '../../form-faults.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { Alternatives } from './alternatives.tsx'
import './appointments.css'
import { slotLabel } from './group-slots.ts'
import { SlotPicker } from './slot-picker.tsx'
import { slotText, whoOf } from './wording.ts'

export type Place = Pick<
  SlotOnDate,
  'slot_id' | 'date' | 'start_time' | 'end_time' | 'session' | 'batch' | 'appointment_type'
>

interface BookAppointmentProps {
  branch: BranchSettings
  services: readonly ServiceSettings[]
  /** Already chosen, from the calendar. */
  place?: Place | null
  onClose: () => void
}

const empty = { contact_name: '', contact_number: '', contact_email: '', notes: '' }
const fields = ['contact_name', 'contact_number', 'contact_email', 'notes', 'appointment_type_id']

export function BookAppointment({ branch, services, place = null, onClose }: BookAppointmentProps) {
  const client = useQueryClient()
  const keyFor = useIdempotencyKey()
  const offered = servicesOf(services, branch.branch_id)
  const [chosen, setChosen] = useState<Place | null>(place)
  const [serviceId, setServiceId] = useState(place?.appointment_type ?? offered[0]?.appointment_type_id ?? '')
  const [contact, setContact] = useState(empty)
  const [missing, setMissing] = useState(false)
  const booking = useMutation({
    mutationFn: (body: CreateAppointmentBody) => write<Appointment>('POST', '/api/v1/appointments', body, keyFor(body)),
    onSuccess: async (made) => {
      toast(`${whoOf(made)} is booked for ${slotText(made)}`)
      onClose()
      await refreshCalendar(client)
    },
  })
  const faults = faultsOf(booking.error)
  const book = (at: Place | null) => {
    setMissing(at === null)
    if (at === null || booking.isPending) return
    setChosen(at)
    const given = Object.fromEntries(Object.entries(contact).filter(([, text]) => text.trim() !== ''))
    const service = at.appointment_type ?? serviceId
    const body = {
      ...given,
      slot_id: at.slot_id,
      booked_by: 'staff',
      ...(service ? { appointment_type_id: service } : {}),
    }
    booking.mutate(body as CreateAppointmentBody)
  }
  const field = (name: keyof typeof empty) => ({
    value: contact[name],
    error: faults[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setContact((old) => ({ ...old, [name]: value }))
    },
  })
  return (
    <Dialog onClose={onClose} size="lg" title="Book an appointment">
      <form
        className="stack"
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          book(chosen)
        }}
      >
        {place ? (
          <Text>
            {slotText(chosen ?? place)} · {slotLabel(chosen ?? place, services)} · {branch.name}
          </Text>
        ) : null}
        {offered.length > 1 && !place?.appointment_type && (
          <NativeSelect
            label="Service"
            value={serviceId}
            error={faults.appointment_type_id}
            onChange={(event) => setServiceId(event.currentTarget.value)}
            data={offered.map((each) => ({ value: each.appointment_type_id, label: each.name }))}
          />
        )}
        {!place && (
          <SlotPicker
            branch={branch}
            services={services}
            serviceId={offered.length > 1 ? serviceId : null}
            bookedBy="staff"
            value={chosen?.slot_id ?? null}
            onChange={setChosen}
            error={missing ? 'Choose a time.' : undefined}
          />
        )}
        <TextInput label="Name" required data-autofocus={place ? true : undefined} {...field('contact_name')} />
        <TextInput
          label="Phone number"
          required
          type="tel"
          description="With country code: +91 or +1 and ten digits"
          {...field('contact_number')}
        />
        <TextInput label="E-mail (optional)" type="email" {...field('contact_email')} />
        <Textarea label="Notes (optional)" autosize minRows={2} maxLength={2000} {...field('notes')} />
        {hasOtherFaults(booking.error, fields) && (
          <Alternatives failure={booking.error} busy={booking.isPending} onChoose={book} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Do not book
          </Button>
          <BusyButton type="submit" busy={booking.isPending} busyWords="Booking…">
            Book
          </BusyButton>
        </Group>
      </form>
    </Dialog>
  )
}
