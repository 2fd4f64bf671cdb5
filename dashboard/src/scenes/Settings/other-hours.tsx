import { Checkbox, TextInput } from '@mantine/core'
import { type Session, sessions } from '@parley/contract/appointment-slots'
import type { BranchSettings } from '@parley/contract/branch-settings'

export type Hours = { start: string; end: string }

interface OtherHoursProps {
  branch: BranchSettings | undefined
  hours: Partial<Record<Session, Hours>>
  faults: Record<string, string>
  onChange: (hours: Partial<Record<Session, Hours>>) => void
}

/** For each session that is ticked, from when to when. */
export function OtherHours({ branch, hours, faults, onChange }: OtherHoursProps) {
  const usual = (session: Session): Hours => branch?.session_hours[session] ?? { start: '09:00', end: '12:00' }
  return (
    <>
      {faults['entries.0.hours'] && <span className="fault">{faults['entries.0.hours']}</span>}
      {sessions.map((session) => {
        const own = hours[session]
        const set = (part: keyof Hours, value: string) =>
          own && onChange({ ...hours, [session]: { ...own, [part]: value } })
        return (
          <fieldset key={session} className="hours">
            <legend>
              <Checkbox
                label={session}
                checked={own !== undefined}
                onChange={(event) => {
                  const { [session]: _, ...rest } = hours
                  onChange(event.currentTarget.checked ? { ...rest, [session]: usual(session) } : rest)
                }}
              />
            </legend>
            {own && (
              <>
                <TextInput
                  type="time"
                  required
                  aria-label={`${session} from`}
                  value={own.start}
                  error={faults[`entries.0.hours.${session}`]}
                  onChange={(event) => set('start', event.currentTarget.value)}
                />
                <span>to</span>
                <TextInput
                  type="time"
                  required
                  aria-label={`${session} to`}
                  value={own.end}
                  onChange={(event) => set('end', event.currentTarget.value)}
                />
              </>
            )}
          </fieldset>
        )
      })}
    </>
  )
}
