import { Switch, TextInput } from '@mantine/core'
import { faultsOf } from '../../form-faults.ts'
import { type EventChoice, EventPicker } from './event-picker.tsx'

export interface EndpointFields {
  url: string
  description: string
  events: EventChoice
  signing: boolean
}
export const endpointFields = ['url', 'description', 'events', 'signing'] as const
export const noEndpoint: EndpointFields = { url: '', description: '', events: ['*'], signing: true }

/** As the API takes it. */
export const bodyOf = ({ url, description, events, signing }: EndpointFields) => ({
  url: url.trim(),
  description: description.trim() === '' ? null : description.trim(),
  events,
  signing,
})

/** What can be told without asking the server. */
export const urlHint = (url: string): string | undefined => {
  if (/^http:\/\//i.test(url.trim())) return 'This must begin with https://. We never send events unencrypted.'
  return undefined
}

interface EndpointFormProps {
  value: EndpointFields
  failure: unknown
  onChange: (fields: EndpointFields) => void
}

export function EndpointForm({ value, failure, onChange }: EndpointFormProps) {
  const faults = faultsOf(failure)
  const set = (change: Partial<EndpointFields>) => onChange({ ...value, ...change })
  return (
    <>
      <TextInput
        type="url"
        label="URL"
        description="Where events are posted. It must be https and at a public address: neither a private network nor this service itself."
        placeholder="https://example.com/parley"
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        maxLength={2_048}
        value={value.url}
        error={
          faults.url && value.url.trim() === '' ? 'Say where events should go.' : (faults.url ?? urlHint(value.url))
        }
        onChange={(event) => set({ url: event.currentTarget.value })}
      />
      <TextInput
        label="Description"
        description="For your team; may be empty."
        maxLength={200}
        autoComplete="off"
        value={value.description}
        error={faults.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      <EventPicker
        value={value.events}
        error={faults.events && (value.events.length === 0 ? 'Choose at least one.' : faults.events)}
        onChange={(events) => set({ events })}
      />
      <Switch
        label="Sign every request"
        description="Your server can then tell that an event is from Parley. Leave it on unless your receiver cannot check it."
        checked={value.signing}
        onChange={(event) => set({ signing: event.currentTarget.checked })}
      />
    </>
  )
}
