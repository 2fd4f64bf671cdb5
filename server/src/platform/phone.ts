import { phoneFault as faultOfPhone, isE164 as isE164Number, type PhoneFault } from '@parley/contract/phone'

export type { PhoneFault }

// The dashboard explains the same rules before anything is sent, so they stand in the contract.
export const phoneFault = faultOfPhone
export const isE164 = isE164Number
