import type { EventType } from '@parley/contract/events'

export type Endpoint = {
  endpointId: string
  organisationId: string
  url: string
  description: string | null
  events: (EventType | '*')[]
  signing: boolean
  status: 'enabled' | 'disabled'
  disabledReason: 'by_hand' | 'failures' | null
  disabledAt: Date | null
  consecutiveFailures: number
  /** A staged rotation waits to be activated. */
  hasNextSecret: boolean
  createdAt: Date
  updatedAt: Date
}

export type NewEndpoint = Pick<Endpoint, 'url' | 'description' | 'events' | 'signing'>
export type EndpointChange = Partial<NewEndpoint & Pick<Endpoint, 'status'>>
