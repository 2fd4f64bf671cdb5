import { Button } from '@mantine/core'
import type { SlotOnDate } from '@parley/contract/slot-dates'
import { ApiFailure } from '../../api-failure.ts'
import { explain } from '../../explain.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { freeText, slotText } from './wording.ts'

interface AlternativesProps {
  failure: unknown
  busy: boolean
  onChoose: (slot: SlotOnDate) => void
}

/** A refusal, and, where there was no place, the next three that have one. */
export function Alternatives({ failure, busy, onChoose }: AlternativesProps) {
  const slots = failure instanceof ApiFailure ? failure.facts.alternatives : undefined
  return (
    <div role="alert" className="stack">
      <FailureNote explanation={explain(failure)} />
      {slots !== undefined && slots.length > 0 && (
        <fieldset className="plain stack">
          <legend>Next open times</legend>
          {slots.map((slot) => (
            <Button
              key={slot.slot_id}
              variant="default"
              justify="space-between"
              fullWidth
              disabled={busy}
              onClick={() => onChoose(slot)}
              rightSection={<span className="dimmed">{freeText(slot.available_slots, slot.max_slots)}</span>}
            >
              {slotText(slot)}
            </Button>
          ))}
        </fieldset>
      )}
      {slots?.length === 0 && <p className="plain">Nothing is open in the next three months.</p>}
    </div>
  )
}
