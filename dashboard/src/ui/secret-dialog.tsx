import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { SecretOnce } from './secret-once.tsx'

interface SecretDialogProps {
  title: string
  /** What the secret is called: API key, signing secret. */
  name: string
  secret: string
  children?: ReactNode
  onSaved: () => void
}

/** Closes only when somebody says that it was saved: a click beside it must not lose what is shown once. */
export function SecretDialog({ title, name, secret, children, onSaved }: SecretDialogProps) {
  return (
    <Dialog
      onClose={onSaved}
      title={title}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack gap="md">
        <SecretOnce name={name} secret={secret} />
        {children}
        <Group justify="flex-end">
          <Button onClick={onSaved}>I saved it</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
