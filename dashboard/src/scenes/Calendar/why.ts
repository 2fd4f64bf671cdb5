import type { Slot } from '@parley/contract/appointment-slots'
import { capital } from '../../calendar/dates.ts'
import type { Cell } from './week.ts'

export interface Check {
  isFine: boolean
  text: string
}

/** Every rule that decides whether a date can be booked, in the order they are asked, with how each came out. */
export function checksOf(cell: Cell, window: Slot | undefined): Check[] {
  const { closedReason: reason, max, filled, free, ai, aiFilled } = cell
  const note = cell.note ? ` (${cell.note})` : ''
  const held = max - filled - free
  return [
    { isFine: reason !== 'past', text: reason === 'past' ? 'The time is over' : 'The time is still to come' },
    {
      isFine: reason !== 'window_closed',
      text: reason === 'window_closed' ? 'The window is switched off' : `The window is on${dayOf(window)}`,
    },
    {
      isFine: reason !== 'holiday',
      text: reason === 'holiday' ? `The branch has a holiday${note}` : 'No holiday closes the branch',
    },
    {
      isFine: reason !== 'date_closed',
      text: reason === 'date_closed' ? `This date was closed${note}` : 'This date was not closed',
    },
    {
      isFine: filled < max && (reason !== null || free > 0),
      text:
        reason === null && held > 0
          ? `${filled} of ${max} places are booked, ${held} held in a running call`
          : `${filled} of ${max} places are booked`,
    },
    { isFine: aiFilled < ai, text: `The AI agent has booked ${aiFilled} of the ${ai} it may` },
  ]
}

const dayOf = (window: Slot | undefined): string => (window ? `, every ${capital(window.day)}` : '')
