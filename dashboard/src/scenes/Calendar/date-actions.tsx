import { Button, Group, TextInput } from '@mantine/core'
import type { PatchTrackingBody } from '@parley/contract/slot-dates'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { write } from '../../api.ts'
import { shortDay } from '../../calendar/dates.ts'
import { refreshCalendar } from '../../calendar/queries.ts'
import { explain } from '../../explain.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Icon } from '../../ui/icons.tsx'
import { toast } from '../../ui/toast.ts'
import type { Cell } from './week.ts'

/** What is done with this one date at a press. */
export function DateActions({ cell, onBook }: { cell: Cell; onBook: () => void }) {
  const client = useQueryClient()
  const [isClosing, setClosing] = useState(false)
  const [reason, setReason] = useState('')
  const change = useMutation({
    mutationFn: (body: PatchTrackingBody) =>
      write('PATCH', `/api/v1/appointment-slots/schedule-tracking/${encodeURIComponent(cell.slotId)}`, body),
    onSuccess: async () => {
      setClosing(false)
      await refreshCalendar(client)
      toast(`${shortDay(cell.date)} is changed`)
    },
  })
  const { closedReason } = cell
  const isOver = closedReason === 'past'
  return (
    <>
      <Group gap="xs">
        <Button disabled={cell.free === 0} leftSection={<Icon name="plus" size={16} />} onClick={onBook}>
          Book here
        </Button>
        {closedReason === null && (
          <Button variant="default" onClick={() => setClosing(true)}>
            Close this date…
          </Button>
        )}
        {(closedReason === 'date_closed' || closedReason === 'holiday') && (
          <Button
            variant="default"
            loading={change.isPending}
            onClick={() => change.mutate({ status: 'OPEN', ...(cell.isOverride ? { note: null } : {}) })}
          >
            Open this date
          </Button>
        )}
        {cell.isOverride && !isOver && (
          <Button variant="default" loading={change.isPending} onClick={() => change.mutate({ reset: true })}>
            Back to the weekly rule
          </Button>
        )}
      </Group>
      {change.error && !isClosing && <FailureNote explanation={explain(change.error)} />}
      {isClosing && (
        <Confirm
          title={`Close ${shortDay(cell.date)}?`}
          doIt="Close this date"
          doing="Closing…"
          busy={change.isPending}
          failure={change.error}
          onClose={() => setClosing(false)}
          onConfirm={() => change.mutate({ status: 'CLOSED', ...(reason.trim() ? { note: reason.trim() } : {}) })}
        >
          <p className="plain">
            Nothing more can be booked on this date.{' '}
            {cell.filled > 0
              ? `${cell.filled === 1 ? 'The one appointment stays' : `All ${cell.filled} appointments stay`} booked: move or cancel them yourself.`
              : 'Nobody is booked.'}
          </p>
          <TextInput
            mt="md"
            label="Reason (optional)"
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </Confirm>
      )}
    </>
  )
}
