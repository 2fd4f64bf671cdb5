import { Checkbox, Radio, Stack } from '@mantine/core'
import { eventExamples } from '@parley/contract/event-examples'
import { type EventType, eventTypeNames, eventTypes } from '@parley/contract/events'
import { Code } from '../../ui/code.tsx'

export type EventChoice = (EventType | '*')[]

interface EventPickerProps {
  value: EventChoice
  error?: string | undefined
  onChange: (events: EventChoice) => void
}

/** All of them, or those that are ticked; each with when it is sent and what it looks like. */
export function EventPicker({ value, error, onChange }: EventPickerProps) {
  const isAll = value.includes('*')
  const chosen = value.filter((each) => each !== '*')
  return (
    <Stack gap="sm">
      <Radio.Group
        label="Events"
        value={isAll ? 'all' : 'some'}
        onChange={(choice) => onChange(choice === 'all' ? ['*'] : ['call.completed', 'call.failed'])}
      >
        <Stack gap="xs" mt={6}>
          <Radio value="all" label="All events, those of the future included" />
          <Radio value="some" label="Only these" />
        </Stack>
      </Radio.Group>
      {!isAll && (
        <Checkbox.Group<EventType> aria-label="Events to send" value={chosen} error={error} onChange={onChange}>
          <div className="events">
            {eventTypeNames.map((type) => (
              <div key={type} className="event">
                <Checkbox value={type} label={<code>{type}</code>} description={eventTypes[type]} />
                <EventExample type={type} />
              </div>
            ))}
          </div>
        </Checkbox.Group>
      )}
    </Stack>
  )
}

export function EventExample({ type }: { type: EventType }) {
  return (
    <details className="example">
      <summary>Example of {type}</summary>
      <Code text={JSON.stringify(eventExamples[type], null, 2)} label={`example of ${type}`} />
    </details>
  )
}
