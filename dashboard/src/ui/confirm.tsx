import { Button, Group, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { explain } from '../explain.ts'
import { BusyButton } from './busy-button.tsx'
import { Dialog } from './dialog.tsx'
import { FailureNote } from './failure-note.tsx'

interface ConfirmProps {
  title: string
  /** What will happen, and what cannot be undone. */
  children: ReactNode
  /** The word on the button: Revoke, Erase, Cancel the call. */
  doIt: string
  doing: string
  /** Has to be typed first. */
  typed?: string
  failure: unknown
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Rendered while it is open. */
export function Confirm({ title, children, doIt, doing, typed, failure, busy, onConfirm, onClose }: ConfirmProps) {
  const [text, setText] = useState('')
  const ready = typed === undefined || text.trim() === typed
  return (
    <Dialog onClose={onClose} title={title} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (ready && !busy) onConfirm()
        }}
      >
        <Text component="div" size="sm">
          {children}
        </Text>
        {typed !== undefined && (
          <TextInput
            mt="md"
            label={`Type ${typed} to confirm`}
            value={text}
            autoComplete="off"
            data-autofocus
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        {failure != null && (
          <div className="spaced">
            <FailureNote explanation={explain(failure)} />
          </div>
        )}
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            Keep as it is
          </Button>
          <BusyButton type="submit" color="red" busy={busy} busyWords={doing} disabled={!ready}>
            {doIt}
          </BusyButton>
        </Group>
      </form>
    </Dialog>
  )
}
