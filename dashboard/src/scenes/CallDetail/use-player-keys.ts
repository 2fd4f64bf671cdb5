import type { Utterance } from '@parley/contract/calls'
import { useEffect, useRef } from 'react'
import { neighbour } from './transcript.ts'
import type { Player } from './use-player.ts'

const skipSeconds = 5

/** Keys of their own: fields write, buttons and sliders have theirs. */
const isTaken = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.closest('input, textarea, select, button, a, [role="tab"], [role="dialog"]') !== null)

function actionOf(key: string, player: Player, lines: readonly Utterance[]): (() => void) | null {
  const by = (seconds: number) => () => player.seek(player.position() + seconds)
  const toLine = (step: 1 | -1) => () => {
    const line = lines[neighbour(lines, player.position(), step) ?? -1]
    if (line) player.seek(line.timestamp)
  }
  if (key === ' ') return player.toggle
  if (key === 'ArrowLeft') return by(-skipSeconds)
  if (key === 'ArrowRight') return by(skipSeconds)
  if (key === 'j') return toLine(1)
  return key === 'k' ? toLine(-1) : null
}

/** Space plays and pauses, arrows skip, j and k lead from line to line. */
export function usePlayerKeys(player: Player, lines: readonly Utterance[]): void {
  const latest = useRef({ player, lines })
  latest.current = { player, lines }
  useEffect(() => {
    let afterG = false
    const onKey = (event: KeyboardEvent) => {
      const { player, lines } = latest.current
      const isPrefixed = afterG
      // g k goes to the keys of the API: that one is not ours.
      afterG = event.key === 'g'
      if (event.ctrlKey || event.metaKey || event.altKey || isPrefixed || isTaken(event.target)) return
      const action = actionOf(event.key, player, lines)
      if (!action) return
      event.preventDefault()
      action()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
