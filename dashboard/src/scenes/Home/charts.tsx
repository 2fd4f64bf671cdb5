import type { Home } from '@parley/contract/home'
import { Panel } from '../../ui/panel.tsx'
import { BarChart } from './bar-chart.tsx'
import { dayName, hourName, shortDay } from './bars.ts'

const total = (counts: readonly number[]): number => counts.reduce((sum, each) => sum + each, 0)

export function Charts({ home }: { home: Home }) {
  const { today, days } = home
  const answered = total(days.map((each) => each.answered))
  const missed = total(days.map((each) => each.not_answered))
  const hasBookings = days.some(({ bookings }) => bookings.ai + bookings.staff + bookings.api > 0)
  return (
    <div className="grid">
      <Panel>
        <BarChart
          title="Calls today, by hour"
          summary={`${today.answered} answered and ${today.not_answered} not answered today.`}
          series={['Answered', 'Not answered']}
          bars={today.hours.map(({ hour, ...each }) => ({
            name: hourName(hour),
            label: hour % 6 === 0 ? hourName(hour) : '',
            parts: [each.answered, each.not_answered],
          }))}
        />
      </Panel>
      <Panel>
        <BarChart
          title="Calls, last 14 days"
          summary={`${answered} answered and ${missed} not answered in 14 days.`}
          series={['Answered', 'Not answered']}
          bars={days.map((day, at) => ({
            name: dayName(day.date),
            label: (days.length - 1 - at) % 4 === 0 ? shortDay(day.date) : '',
            parts: [day.answered, day.not_answered],
          }))}
        />
      </Panel>
      {hasBookings && (
        <Panel>
          <BarChart
            title="Appointments booked, last 14 days"
            summary={`Booked in 14 days: ${total(days.map((each) => each.bookings.ai))} by agents, ${total(days.map((each) => each.bookings.staff))} by staff, ${total(days.map((each) => each.bookings.api))} through the API.`}
            series={['By agents', 'By staff', 'Through the API']}
            bars={days.map((day, at) => ({
              name: dayName(day.date),
              label: (days.length - 1 - at) % 4 === 0 ? shortDay(day.date) : '',
              parts: [day.bookings.ai, day.bookings.staff, day.bookings.api],
            }))}
          />
        </Panel>
      )}
    </div>
  )
}
