import { Combobox, Modal, Text, TextInput, useCombobox } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { destinations, placeOf } from '../places.ts'

interface Found {
  to: string
  label: string
}

/** A pasted id or number first, then the places whose name holds the words. */
export function findPlaces(text: string): Found[] {
  const words = text.trim().toLowerCase()
  const named = placeOf(text)
  return [
    ...(named ? [{ to: named, label: `Open ${text.trim()}` }] : []),
    ...destinations.filter(({ label }) => label.toLowerCase().includes(words)),
    ...extras.filter(({ label }) => words !== '' && label.toLowerCase().includes(words)),
    ...(named === null && words.length > 1
      ? [{ to: `/calls?q=${encodeURIComponent(text.trim())}`, label: `Search calls for “${text.trim()}”` }]
      : []),
  ]
}

const extras: Found[] = [
  { to: '/calls/new', label: 'New call' },
  { to: '/calls/bulk', label: 'Bulk calls from a CSV' },
  { to: '/webhooks/signature', label: 'Signature checker' },
]

export function Finder({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const navigate = useNavigate()
  const combobox = useCombobox({ opened: true })
  const found = findPlaces(text)
  const go = (to: string) => {
    onClose()
    void navigate({ href: to })
  }
  return (
    <Modal opened onClose={onClose} withCloseButton={false} aria-label="Find" yOffset="12vh" padding="sm">
      <Combobox store={combobox} onOptionSubmit={go} withinPortal={false}>
        <Combobox.EventsTarget>
          <TextInput
            data-autofocus
            aria-label="Find a page, or paste an id or a phone number"
            placeholder="A page, an id or a phone number"
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value)
              combobox.selectFirstOption()
            }}
          />
        </Combobox.EventsTarget>
        <Combobox.Options mt="xs" aria-label="Found">
          {found.map(({ to, label }) => (
            <Combobox.Option key={to} value={to}>
              {label}
            </Combobox.Option>
          ))}
          {found.length === 0 && <Combobox.Empty>Nothing of that name</Combobox.Empty>}
        </Combobox.Options>
        <Text size="xs" c="dimmed" mt="xs">
          Enter opens, Escape closes.
        </Text>
      </Combobox>
    </Modal>
  )
}
