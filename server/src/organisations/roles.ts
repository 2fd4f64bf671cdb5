import type { Role } from '@parley/contract/common'

/** Whoever is signed in. */
export const everyone: readonly Role[] = ['owner', 'admin', 'staff', 'viewer']
/** Those who run the day. */
export const workers: readonly Role[] = ['owner', 'admin', 'staff']
/** Those who may change how the organisation is set up. */
export const managers: readonly Role[] = ['owner', 'admin']
