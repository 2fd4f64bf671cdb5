import { Alert, Autocomplete, SegmentedControl, Text, TextInput } from '@mantine/core'
import { Icon } from '../../ui/icons.tsx'
import { whenText } from '../../ui/when.tsx'
import { type CallForm, scheduledAt } from './call-form.ts'
import { calleeTime } from './callee-time.ts'
import { checkNumber } from './phone.ts'

interface ScheduleProps {
  form: CallForm
  fault: string | undefined
  now: Date
  onChange: (change: Partial<CallForm>) => void
}

const zones = Intl.supportedValuesOf('timeZone')

/** When to call, in whose clock, and what the clock says where the phone rings. */
export function Schedule({ form, fault, now, onChange }: ScheduleProps) {
  const isLater = form.when === 'later'
  const at = isLater ? scheduledAt(form) : now
  const number = checkNumber(form.number)
  const there = at && number.state === 'good' ? calleeTime(number.country, at) : null
  return (
    <fieldset className="schedule">
      <legend>When</legend>
      <SegmentedControl
        aria-label="When to call"
        value={form.when}
        onChange={(when) => onChange({ when: when as CallForm['when'] })}
        data={[
          { value: 'now', label: 'Now' },
          { value: 'later', label: 'At a time' },
        ]}
      />
      {isLater ? (
        <>
          <div className="schedule-fields">
            <TextInput
              type="date"
              label="Day"
              value={form.date}
              error={fault !== undefined}
              onChange={(event) => onChange({ date: event.currentTarget.value })}
            />
            <TextInput
              type="time"
              label="Time"
              value={form.time}
              error={fault !== undefined}
              onChange={(event) => onChange({ time: event.currentTarget.value })}
            />
            <Autocomplete
              label="Time zone"
              data={zones}
              limit={30}
              maxDropdownHeight={220}
              value={form.zone}
              onChange={(zone) => onChange({ zone })}
            />
          </div>
          {fault && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {fault}
            </Text>
          )}
          {at && !fault && (
            <Text size="sm">
              {whenText(at.toISOString(), form.zone, now).text} ({form.zone}).
            </Text>
          )}
        </>
      ) : (
        <Text size="sm" c="dimmed">
          The phone rings in about 15 seconds.
        </Text>
      )}
      {there && (
        <Text size="sm" c="dimmed">
          {there.text}
        </Text>
      )}
      {there?.warning && (
        <Alert color="yellow" icon={<Icon name="moon" />} className="night">
          {there.warning}
        </Alert>
      )}
    </fieldset>
  )
}
