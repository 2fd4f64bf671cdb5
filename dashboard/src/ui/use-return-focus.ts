import { useEffect, useState } from 'react'

/** For dialogues that are rendered while they are open: afterwards the keyboard is where it was before. */
export function useReturnFocus(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // After the dialogue has left the page; another one that follows it keeps the focus.
      setTimeout(() => {
        const isTaken = document.querySelector('[aria-modal="true"]') !== null
        if (!isTaken && opener instanceof HTMLElement && opener.isConnected) opener.focus()
      })
    },
    [opener],
  )
}
