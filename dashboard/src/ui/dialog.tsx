import { Drawer, Modal, type ModalProps } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { useFocusReturn } from './use-focus-return.ts'

const open: object[] = []

/** Escape reaches every open dialog; only the one on top may take it. */
function useIsOnTop(): () => boolean {
  const own = useRef({})
  useEffect(() => {
    const self = own.current
    open.push(self)
    // Later: the same key press may still be on its way to those below.
    return () => void setTimeout(() => open.splice(open.indexOf(self), 1), 0)
  }, [])
  return () => open.at(-1) === own.current
}

// Mantine's header would be a second banner of the page.
const attributes = { header: { role: 'none' } }

interface DialogProps
  extends Pick<ModalProps, 'size' | 'centered' | 'withCloseButton' | 'closeOnClickOutside' | 'closeOnEscape'> {
  title: string
  children: ReactNode
  onClose: () => void
}

/** Rendered while it is open. */
export function Dialog({ onClose, size = 'md', centered = false, ...rest }: DialogProps) {
  const isOnTop = useIsOnTop()
  useFocusReturn()
  return (
    <Modal
      opened
      size={size}
      centered={centered}
      onClose={() => isOnTop() && onClose()}
      closeButtonProps={{ 'aria-label': 'Close' }}
      attributes={attributes}
      {...rest}
    />
  )
}

/** A panel at the side; rendered while it is open. */
export function SidePanel({ onClose, title, children }: Pick<DialogProps, 'onClose' | 'title' | 'children'>) {
  const isOnTop = useIsOnTop()
  useFocusReturn()
  return (
    <Drawer
      opened
      position="right"
      size="lg"
      title={title}
      onClose={() => isOnTop() && onClose()}
      closeButtonProps={{ 'aria-label': 'Close' }}
      attributes={attributes}
    >
      {children}
    </Drawer>
  )
}
