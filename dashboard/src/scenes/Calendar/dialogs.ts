import type { Day, Session } from '@parley/contract/appointment-slots'

/** What can be open over the week, besides the panel of a date. */
export type CalendarDialog = 'window' | 'copy' | 'regenerate' | 'feed'
/** Where a new window was asked for. */
export type NewWindowAt = { day: Day; session: Session }
