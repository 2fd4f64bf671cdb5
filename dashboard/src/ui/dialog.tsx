import { Drawer, Modal, type ModalProps } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'

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

/** Whoever opened it; for an item of a menu, which is gone by then, the menu's button. */
function openerOf(element: Element | null): HTMLElement | null {
  const menu = element?.closest('[role=menu]')
  const opener = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : element
  return opener instanceof HTMLElement ? opener : null
}

/** Mantine gives the focus back only to dialogs that stay in the page; ours are there while they are open. */
function useReturnFocus(): void {
  const opener = useRef<HTMLElement | null>(null)
  opener.current ??= openerOf(document.activeElement)
  useEffect(
    () => () => {
      const back = opener.current
      setTimeout(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body
        if (isLost && back?.isConnected) back.focus({ preventScroll: true })
      }, 0)
    },
    [],
  )
}

// Mantine's header would be a second banner of the page.
const attributes = { header: { role: 'none' } }

interface DialogProps {
  title: string
  size?: ModalProps['size']
  centered?: boolean
  children: ReactNode
  onClose: () => void
}

/** Rendered while it is open. */
export function Dialog({ onClose, size = 'md', centered = false, ...rest }: DialogProps) {
  const isOnTop = useIsOnTop()
  useReturnFocus()
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
export function SidePanel({ onClose, title, children }: Omit<DialogProps, 'size' | 'centered'>) {
  const isOnTop = useIsOnTop()
  useReturnFocus()
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
