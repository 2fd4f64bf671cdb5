import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import type { Appointment, AppointmentStatus } from '@parley/contract/appointments'
import { useState } from 'react'
import { explain } from '../../explain.ts'
import { useMay } from '../../session.ts'
import { Icon } from '../../ui/icons.tsx'
import { toast } from '../../ui/toast.ts'
import { CancelAppointment, Reschedule } from './change-dialogs.tsx'
import { useChangeAppointment } from './use-change.ts'
import { whoOf } from './wording.ts'

/** What can be done now: the usual thing as a button, the rest in a menu. */
export function AppointmentActions({ appointment }: { appointment: Appointment }) {
  const mayWork = useMay('work')
  const change = useChangeAppointment()
  const [dialog, setDialog] = useState<'cancel' | 'move' | null>(null)
  const { copy } = useClipboard()
  const who = whoOf(appointment)
  const isConfirmed = appointment.status === 'confirmed'
  const mark = (status: AppointmentStatus) =>
    change.mutate({ appointment, body: { status } }, { onError: (failure) => toast(explain(failure).text) })
  const close = () => setDialog(null)
  return (
    <Group gap={6} wrap="nowrap" justify="flex-end" className="no-print">
      {mayWork && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={isConfirmed ? `Complete ${who}` : `Back to confirmed: ${who}`}
          disabled={change.isPending}
          onClick={() => mark(isConfirmed ? 'completed' : 'confirmed')}
        >
          {isConfirmed ? 'Complete' : 'Back to confirmed'}
        </Button>
      )}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" aria-label={`More for ${who}`}>
            <Icon name="more" size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayWork && isConfirmed && (
            <>
              <Menu.Item onClick={() => setDialog('move')}>Move to another time…</Menu.Item>
              <Menu.Item onClick={() => mark('no_show')}>Did not come</Menu.Item>
              <Menu.Item onClick={() => setDialog('cancel')}>Cancel…</Menu.Item>
            </>
          )}
          {navigator.clipboard ? (
            <Menu.Item
              onClick={() => {
                copy(appointment.appointment_id)
                toast('The appointment ID is copied')
              }}
            >
              Copy the appointment ID
            </Menu.Item>
          ) : (
            <Menu.Label>{appointment.appointment_id}</Menu.Label>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'cancel' && <CancelAppointment appointment={appointment} onClose={close} />}
      {dialog === 'move' && <Reschedule appointment={appointment} onClose={close} />}
    </Group>
  )
}
