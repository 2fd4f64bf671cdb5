// Where one can go: the navigation, the keyboard and Cmd+K read the same list.
import type { IconName } from './ui/icons.tsx'

export interface Destination {
  to: string
  label: string
  icon: IconName
  /** Pressed after g. */
  key: string
}
export interface Group {
  label: string
  places: readonly Destination[]
}

export const groups: readonly Group[] = [
  {
    label: 'Every day',
    places: [
      { to: '/', label: 'Home', icon: 'home', key: 'h' },
      { to: '/calls', label: 'Calls', icon: 'phone', key: 'c' },
      { to: '/calendar', label: 'Calendar', icon: 'calendar', key: 'w' },
      { to: '/appointments', label: 'Appointments', icon: 'list', key: 'a' },
    ],
  },
  {
    label: 'Set up',
    places: [
      { to: '/agents', label: 'Agents & numbers', icon: 'voice', key: 'n' },
      { to: '/webhooks', label: 'Webhooks', icon: 'send', key: 'o' },
      { to: '/hook', label: 'Inbound hook', icon: 'inbox', key: 'i' },
      { to: '/keys', label: 'API keys', icon: 'key', key: 'k' },
      { to: '/settings', label: 'Settings', icon: 'gear', key: 's' },
    ],
  },
]
export const destinations = groups.flatMap((group) => group.places)

/** Where a text that names something leads to: an id, or a number to look calls up by. */
export function placeOf(text: string): string | null {
  const found = text.trim()
  if (/^call_\w+$/.test(found)) return `/calls/${found}`
  if (/^whe_\w+$/.test(found)) return `/webhooks/${found}`
  if (/^dlv_\w+$/.test(found)) return `/webhooks/deliveries/${found}`
  if (/^agt_\w+$/.test(found)) return `/agents/${found}`
  if (/^\+[0-9]{8,15}$/.test(found)) return `/calls?q=${encodeURIComponent(found)}`
  return null
}
