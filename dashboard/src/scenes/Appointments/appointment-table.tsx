import { Anchor, Text } from '@mantine/core'
import type { Appointment } from '@parley/contract/appointments'
import { Link } from '@tanstack/react-router'
import { Mark } from '../../ui/mark.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { AppointmentActions } from './appointment-actions.tsx'
import { bookedByWords, slotText, statusMarks, whoOf } from './wording.ts'

const who: Column<Appointment> = {
  label: 'Who',
  cell: (each) => (
    <div>
      <Text size="sm" fw={600} td={each.status === 'cancelled' ? 'line-through' : 'none'}>
        {whoOf(each)}
      </Text>
      <Text size="sm" c="dimmed" className="number">
        {each.contact_number}
      </Text>
      {each.notes && <Text size="sm">{each.notes}</Text>}
      {each.cancellation_reason && <Text size="sm">Reason: {each.cancellation_reason}</Text>}
    </div>
  ),
}
const service: Column<Appointment> = {
  label: 'Service',
  cell: (each) => [each.appointment_type_name, each.batch].filter((part) => part).join(' · ') || '–',
}
const source: Column<Appointment> = {
  label: 'Booked by',
  cell: (each) =>
    each.call_id ? (
      <Anchor
        size="sm"
        renderRoot={(props) => <Link to="/calls/$callId" params={{ callId: each.call_id ?? '' }} {...props} />}
      >
        {bookedByWords[each.booked_by]}, in a call
      </Anchor>
    ) : (
      bookedByWords[each.booked_by]
    ),
}
const status: Column<Appointment> = {
  label: 'Status',
  cell: (each) => {
    const { tone, icon, word } = statusMarks[each.status]
    return (
      <Mark tone={tone} icon={icon}>
        {word}
      </Mark>
    )
  },
}
const when: Column<Appointment> = { label: 'When', cell: slotText }
const actions: Column<Appointment> = {
  label: 'Actions',
  align: 'end',
  cell: (each) => <AppointmentActions appointment={each} />,
}

interface AppointmentTableProps {
  label: string
  appointments: readonly Appointment[]
  /** The date is not said already. */
  withDate?: boolean
  /** In a narrow place. */
  brief?: boolean
}

export function AppointmentTable({ label, appointments, withDate = false, brief = false }: AppointmentTableProps) {
  const columns = brief ? [who, status, actions] : [who, ...(withDate ? [when] : []), service, source, status, actions]
  return <Table label={label} columns={columns} rows={appointments} keyOf={(each) => each.appointment_id} />
}
