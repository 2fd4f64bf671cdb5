import { type Scope, scopeNames } from '@parley/contract/scopes'

/** The eight scopes in the words of whoever makes a key. */
export const scopeWords: Record<Scope, { label: string; text: string }> = {
  'calls:create': { label: 'Place calls', text: 'Uses your credits and rings phones.' },
  'calls:read': { label: 'Read calls', text: 'Status, transcript, recording and summary of every call.' },
  'calls:cancel': { label: 'Cancel calls', text: 'Only those that have not started.' },
  'calls:delete': { label: 'Erase calls', text: 'Deletes a finished call and its personal data for good.' },
  'appointments:read': { label: 'Read appointments', text: 'Also services, branches and free times.' },
  'appointments:write': { label: 'Book and change appointments', text: 'Also cancels and completes them.' },
  'slots:read': { label: 'Read the calendar', text: 'Windows, what is free and how full each date is.' },
  'slots:write': {
    label: 'Change the calendar',
    text: 'Creates, changes and closes windows, for a date or every week.',
  },
}

export const scopeGroups: readonly { label: string; scopes: readonly Scope[] }[] = [
  { label: 'Calls', scopes: ['calls:create', 'calls:read', 'calls:cancel', 'calls:delete'] },
  { label: 'Appointments', scopes: ['appointments:read', 'appointments:write'] },
  { label: 'Calendar', scopes: ['slots:read', 'slots:write'] },
]

export const presets: readonly { label: string; scopes: readonly Scope[] }[] = [
  { label: 'Calls', scopes: ['calls:create', 'calls:read', 'calls:cancel'] },
  { label: 'Booking', scopes: ['appointments:read', 'appointments:write', 'slots:read'] },
  { label: 'Read only', scopes: ['calls:read', 'appointments:read', 'slots:read'] },
  { label: 'Everything', scopes: scopeNames },
]

export const samePresets = (a: readonly Scope[], b: readonly Scope[]): boolean =>
  a.length === b.length && a.every((scope) => b.includes(scope))

/** For a line in a list: what a key may do. */
export const scopesInWords = (scopes: readonly Scope[]): string =>
  scopes.length === scopeNames.length ? 'Everything' : scopes.map((scope) => scopeWords[scope].label).join(', ')
