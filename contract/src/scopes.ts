/** The eight scopes of an API key (§5.1), with what each allows in plain words. */
export const scopes = {
  'calls:create': 'Create calls',
  'calls:read': 'Read and list calls',
  'calls:cancel': 'Cancel calls that have not started',
  'calls:delete': 'Erase completed calls and their personal data',
  'appointments:read': 'Read appointments, configuration, services and availability',
  'appointments:write': 'Create and update appointments',
  'slots:read': 'Read windows, slot availability and schedule tracking',
  'slots:write': 'Create, update and disable windows; update and regenerate tracking',
} as const

export type Scope = keyof typeof scopes
export const scopeNames = Object.keys(scopes) as Scope[]
