import type { Cell } from './week.ts'
import './calendar.css'

const share = (part: number, whole: number): number => (whole === 0 ? 0 : Math.min(100, (part / whole) * 100))

/** How full it is: all of it, and in darker colour what the agent took. */
export function Fill({ cell, tall = false }: { cell: Cell; tall?: boolean }) {
  const { filled, max, aiFilled, ai } = cell
  return (
    <span className="fill">
      <span className="fill-words">
        <span>
          <b>{filled}</b>/{max}
        </span>
        <span className="dimmed">
          AI {aiFilled}/{ai}
        </span>
      </span>
      <span className="fill-bar" data-tall={tall} aria-hidden="true">
        <span className="fill-all" style={{ width: `${share(filled, max)}%` }} />
        <span className="fill-ai" style={{ width: `${share(aiFilled, max)}%` }} />
      </span>
    </span>
  )
}
