import { notifications } from '@mantine/notifications'

/** Something was done; read out politely. */
export const toast = (message: string): void => {
  notifications.show({ message, color: 'parley', autoClose: 5000, closeButtonProps: { 'aria-label': 'Close' } })
}
