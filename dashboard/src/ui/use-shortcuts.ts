import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { destinations } from '../places.ts'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

const prefixMs = 1_500

interface Shortcuts {
  onFind: () => void
  onHelp: () => void
}

/** Ctrl+K or Cmd+K finds, ? helps, g and a letter goes; never while somebody is writing. */
export function useShortcuts(handlers: Shortcuts): void {
  const navigate = useNavigate()
  const latest = useRef(handlers)
  latest.current = handlers
  useEffect(() => {
    let prefixedAt = Number.NEGATIVE_INFINITY
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        latest.current.onFind()
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (event.key === '?') latest.current.onHelp()
      const place = destinations.find((each) => each.key === event.key)
      if (place && event.timeStamp - prefixedAt < prefixMs) void navigate({ to: place.to })
      prefixedAt = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [navigate])
}
