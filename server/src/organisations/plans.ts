import type { Plan } from '@parley/contract/common'

export type PlanLimits = { label: string; activeApiKeys: number; webhookEndpoints: number }

/** The limits of §8, one table. The daily hook quota is a setting (decisions 10). */
export const planLimits = {
  base: { label: 'Base', activeApiKeys: 5, webhookEndpoints: 1 },
  professional: { label: 'Professional', activeApiKeys: Number.POSITIVE_INFINITY, webhookEndpoints: 5 },
  enterprise: { label: 'Enterprise', activeApiKeys: Number.POSITIVE_INFINITY, webhookEndpoints: 5 },
} as const satisfies Record<Plan, PlanLimits>
