import { Mark } from '../../ui/mark.tsx'
import { type Cell, stateOf } from './week.ts'

export function CellMark({ cell }: { cell: Cell }) {
  const { tone, icon, word } = stateOf(cell)
  return (
    <Mark tone={tone} icon={icon}>
      {word}
    </Mark>
  )
}
