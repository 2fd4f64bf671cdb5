import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'

/** Something was done and can be taken back for a while. */
export function toastWithUndo(message: string, undo: () => void): void {
  const id = `undo-${performance.now()}`
  notifications.show({
    id,
    color: 'parley',
    autoClose: 10_000,
    closeButtonProps: { 'aria-label': 'Close' },
    message: (
      <Group justify="space-between" gap="xs">
        <span>{message}</span>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            notifications.hide(id)
            undo()
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  })
}
