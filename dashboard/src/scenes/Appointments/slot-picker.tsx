import { Button, Group, Radio, Text, TextInput } from '@mantine/core'
import type { BranchSettings, ServiceSettings } from '@parley/contract/branch-settings'
import type { BookedBy, SlotOnDate } from '@parley/contract/slot-dates'
import { useState } from 'react'
import { addDays, isDate, longDay, todayIn, zoneText } from '../../calendar/dates.ts'
import { useAvailability } from '../../calendar/queries.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { byDate, freeIn, slotLabel } from './group-slots.ts'
import { freeText, hoursText } from './wording.ts'

const days = 14

interface SlotPickerProps {
  branch: BranchSettings
  services: readonly ServiceSettings[]
  serviceId?: string | null
  bookedBy: BookedBy
  value: string | null
  onChange: (slot: SlotOnDate) => void
  error?: string | undefined
}

/** Two weeks of what is offered, with how many places are free this moment. */
export function SlotPicker({ branch, services, serviceId, bookedBy, value, onChange, error }: SlotPickerProps) {
  const today = todayIn(branch.timezone, new Date())
  const [from, setFrom] = useState(today)
  const query = useAvailability({ branchId: branch.branch_id, from, days, serviceId: serviceId ?? null })
  const find = (id: string) => query.data?.find((each) => each.slot_id === id)
  return (
    <div className="stack">
      <Group align="flex-end" gap="xs">
        <TextInput
          type="date"
          label="From"
          min={today}
          value={from}
          onChange={({ currentTarget }) => isDate(currentTarget.value) && setFrom(currentTarget.value)}
        />
        <Button variant="default" disabled={from <= today} onClick={() => setFrom(latest(addDays(from, -days), today))}>
          Earlier
        </Button>
        <Button variant="default" onClick={() => setFrom(addDays(from, days))}>
          Later
        </Button>
      </Group>
      <Radio.Group
        label={`When (${branch.name}, ${zoneText(branch.timezone, from)})`}
        value={value}
        error={error}
        onChange={(id) => {
          const slot = find(id)
          if (slot) onChange(slot)
        }}
      >
        <div className="slot-choices">
          <Loaded query={query}>
            {(slots) =>
              slots.length === 0 ? (
                <Text size="sm" c="dimmed">
                  Nothing is open in these two weeks. Look later, or add a window in the calendar.
                </Text>
              ) : (
                byDate(slots).map(([date, ofDay]) => (
                  <div key={date} className="slot-day">
                    <Text size="sm" fw={600}>
                      {longDay(date)}
                    </Text>
                    {ofDay.map((slot) => (
                      <Radio
                        key={slot.slot_id}
                        value={slot.slot_id}
                        disabled={freeIn(slot, bookedBy) === 0}
                        label={`${hoursText(slot)} · ${slotLabel(slot, services)} · ${freeText(freeIn(slot, bookedBy), slot.max_slots)}`}
                      />
                    ))}
                  </div>
                ))
              )
            }
          </Loaded>
        </div>
      </Radio.Group>
    </div>
  )
}

const latest = (a: string, b: string): string => (a > b ? a : b)
