import { useEffect, useRef } from 'react'

/** Where the first of several dialogs was opened from: a form is followed by the secret it made. */
let outside: HTMLElement | null = null

/** Whoever opened it; for an item of a menu, which is gone by then, the menu's button. */
function openerOf(element: Element | null): HTMLElement | null {
  const menu = element?.closest('[role=menu]')
  const opener = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : element
  return opener instanceof HTMLElement && opener !== document.body ? opener : null
}

/** Mantine gives the focus back only to dialogs that stay in the page; ours are there while they are open. */
export function useFocusReturn(): void {
  const opener = useRef<HTMLElement | null>(null)
  opener.current ??= openerOf(document.activeElement)
  useEffect(() => {
    const own = opener.current
    if (own && own.closest('[role=dialog]') === null) outside = own
    return () => {
      // After the dialog has gone; another that has taken its place keeps the focus.
      setTimeout(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body
        const back = own?.isConnected ? own : outside
        if (isLost && back?.isConnected) back.focus({ preventScroll: true })
      }, 0)
    }
  }, [])
}
