import type { Plan, Role } from '@parley/contract/common'
import type { shareExpiries } from '@parley/contract/organisation'

export type ShareExpiry = (typeof shareExpiries)[number]

/** Public call share (§6.4). `expiry` is how long a link lives; null: until it is closed. */
export type PublicShare = { enabled: boolean; expiry: ShareExpiry | null }

export type Organisation = { organisationId: string; name: string; plan: Plan; timezone: string }

export type NewOrganisation = {
  name: string
  plan: Plan
  timezone: string
  publicShare: PublicShare
  inboundSigning: boolean
}

export type User = { userId: string; organisationId: string; email: string; role: Role }

/** The inbound hook's token and signing secret, shown once. */
export type InboundSecrets = { token: string; signingSecret: string }

/** Whom a hook token belongs to, and whether its requests must be signed. */
export type InboundOrganisation = {
  organisationId: string
  plan: Plan
  signing: boolean
  sealedSigningSecret: Buffer
}
