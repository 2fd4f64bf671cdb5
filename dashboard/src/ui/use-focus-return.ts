import { useLayoutEffect } from 'react'

// Kept across dialogs that follow each other: a form, then the secret it made.
let opener: HTMLElement | null = null

const isInDialog = (element: Element): boolean => element.closest('[role="dialog"]') !== null

/** A dialog that is rendered while it is open gives the focus back to what opened it. */
export function useFocusReturn(): void {
  useLayoutEffect(() => {
    const active = document.activeElement
    if (active instanceof HTMLElement && active !== document.body && !isInDialog(active)) opener = active
    return () => {
      // After the dialog has gone, and unless another has taken its place.
      setTimeout(() => {
        if (document.querySelector('[role="dialog"]') === null && opener?.isConnected) opener.focus()
      })
    }
  }, [])
}
