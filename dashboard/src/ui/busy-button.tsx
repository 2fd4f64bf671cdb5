import { Button, type ButtonProps, Loader, VisuallyHidden } from '@mantine/core'
import type { ComponentPropsWithoutRef } from 'react'

interface BusyButtonProps extends ButtonProps, Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps> {
  busy: boolean
  busyWords: string
}

/** While busy it keeps the focus (a disabled button would lose it) and ignores presses. */
export function BusyButton({ busy, busyWords, children, onClick, ...rest }: BusyButtonProps) {
  return (
    <>
      <Button
        {...rest}
        aria-disabled={busy}
        leftSection={busy ? <Loader size={16} color="currentColor" /> : undefined}
        onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
      >
        {busy ? busyWords : children}
      </Button>
      <VisuallyHidden role="status">{busy ? busyWords : ''}</VisuallyHidden>
    </>
  )
}
