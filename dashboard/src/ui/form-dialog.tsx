import { Button, Group, Stack } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { explain } from '../explain.ts'
import { faultsOf, hasOtherFaults } from '../form-faults.ts'
import { BusyButton } from './busy-button.tsx'
import { Dialog } from './dialog.tsx'
import { FailureNote } from './failure-note.tsx'

interface FormDialogProps {
  title: string
  size?: string
  /** The words on the button, before and while it works. */
  doIt: string
  doing: string
  /** False while there is nothing to do. */
  ready?: boolean
  /** The word on the other button. */
  leave?: string
  busy: boolean
  failure: unknown
  /** The fields that show their own faults; the note above tells the others. */
  fields: readonly string[]
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/** A form in a dialog. Rendered while it is open; after a refusal the focus is where the fault is. */
export function FormDialog(props: FormDialogProps) {
  const { title, size = 'lg', doIt, doing, ready = true, leave = 'Cancel', busy } = props
  const { failure, fields, onSubmit, onClose, children } = props
  const form = useRef<HTMLFormElement>(null)
  const note = useRef<HTMLDivElement>(null)
  const isNoted = failure != null && hasOtherFaults(failure, fields)
  useEffect(() => {
    if (failure == null) return
    const faulty = Object.keys(faultsOf(failure)).length > 0
    const first = faulty ? form.current?.querySelector<HTMLElement>('[aria-invalid="true"]') : null
    ;(first ?? note.current)?.focus()
  }, [failure])
  return (
    <Dialog onClose={onClose} title={title} size={size}>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (ready && !busy) onSubmit()
        }}
      >
        <Stack gap="md">
          {isNoted && <FailureNote ref={note} explanation={explain(failure)} />}
          {children}
          <Group justify="flex-end" mt="xs">
            <Button variant="default" onClick={onClose}>
              {leave}
            </Button>
            <BusyButton type="submit" busy={busy} busyWords={doing} disabled={!ready}>
              {doIt}
            </BusyButton>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
