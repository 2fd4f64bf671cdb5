import { Paper } from '@mantine/core'
import { callStatuses } from '@parley/contract/calls'
import { fewCredits, type Home } from '@parley/contract/home'
import type { ReactNode } from 'react'
import { counted, shareOf, stateWords } from './call-words.ts'

function Figure({ name, value, note, warn }: { name: string; value: string; note: ReactNode; warn?: boolean }) {
  return (
    <Paper component="li" withBorder radius="lg" className="figure" data-warn={warn ?? false}>
      <span className="figure-name">{name}</span>
      <span className="figure-value">{value}</span>
      <span className="figure-note">{note}</span>
    </Paper>
  )
}

/** Today in five numbers. */
export function Figures({ home }: { home: Home }) {
  const { today, credits, endpoints } = home
  const calls = Object.values(today.by_status).reduce((sum, each) => sum + each, 0)
  const states = callStatuses.filter((each) => (today.by_status[each] ?? 0) > 0)
  const free = credits.balance - credits.held
  const worst = endpoints[0]
  return (
    <ul className="figures" aria-label="Today">
      <Figure
        name="Calls today"
        value={calls.toLocaleString('en')}
        note={
          states.length === 0
            ? 'None placed or planned'
            : states.map((each) => `${today.by_status[each]} ${stateWords[each].words.toLowerCase()}`).join(' · ')
        }
      />
      <Figure
        name="Answered"
        value={shareOf(today.answered, today.not_answered)}
        note={`${today.answered} of ${counted(today.answered + today.not_answered, 'call')} that rang`}
      />
      <Figure
        name="Booked today"
        value={String(today.bookings.ai + today.bookings.staff + today.bookings.api)}
        note={`${today.bookings.ai} by agents · ${today.bookings.staff} by staff · ${today.bookings.api} by API`}
      />
      <Figure
        name="Credits left"
        value={free.toLocaleString('en')}
        note={free < fewCredits ? 'Running low' : `${credits.held} held by calls in the air`}
        warn={free < fewCredits}
      />
      <Figure
        name="Failing endpoints"
        value={String(endpoints.length)}
        note={worst ? `Worst: ${worst.consecutive_failures} of 50 in a row` : 'All deliveries arrive'}
        warn={endpoints.length > 0}
      />
    </ul>
  )
}
