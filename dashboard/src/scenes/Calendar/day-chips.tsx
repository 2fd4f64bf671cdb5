import { Chip, Group, Input } from '@mantine/core'
import type { Day } from '@parley/contract/appointment-slots'
import { capital, weekdays } from '../../calendar/dates.ts'

export function DayChips({
  days,
  onChange,
  label = 'Days',
}: {
  days: Day[]
  onChange: (days: Day[]) => void
  label?: string
}) {
  return (
    <Input.Wrapper label={label} error={days.length === 0 ? 'Choose at least one day.' : undefined} labelElement="div">
      <Chip.Group multiple value={days} onChange={(chosen) => onChange(chosen as Day[])}>
        <Group gap={6} mt={4} role="group" aria-label={label}>
          {weekdays.map((day) => (
            <Chip key={day} value={day} size="sm">
              {capital(day).slice(0, 3)}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  )
}
