import { Text } from '@mantine/core'
import type { Appointment } from '@parley/contract/appointments'
import { Link } from '@tanstack/react-router'
import { CopyId } from '../../ui/copy-id.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Mark, type Tone } from '../../ui/mark.tsx'
import { When } from '../../ui/when.tsx'

const words: Record<Appointment['status'], { text: string; tone: Tone }> = {
  confirmed: { text: 'Confirmed', tone: 'good' },
  cancelled: { text: 'Cancelled', tone: 'calm' },
  completed: { text: 'Completed', tone: 'good' },
  no_show: { text: 'Did not come', tone: 'warn' },
}

export function AppointmentsOfCall({ appointments }: { appointments: readonly Appointment[] }) {
  if (appointments.length === 0) return <Text c="dimmed">No appointment belongs to this call.</Text>
  return appointments.map((each) => (
    <Facts key={each.appointment_id}>
      <Fact name={each.appointment_type_name ?? 'Appointment'}>
        <Mark tone={words[each.status].tone}>{words[each.status].text}</Mark>
      </Fact>
      <Fact name="When">
        <When at={each.starts_at} zone={each.timezone} />
      </Fact>
      <Fact name="Session">{each.session}</Fact>
      <Fact name="Day sheet">
        <Link to="/appointments" search={{ date: each.date }}>
          Open {each.date}
        </Link>
      </Fact>
      <Fact name="Appointment ID">
        <CopyId id={each.appointment_id} label="appointment ID" />
      </Fact>
    </Facts>
  ))
}
