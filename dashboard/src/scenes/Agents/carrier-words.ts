const words: Record<string, string> = { simulator: 'Simulator', sip: 'Phone line (SIP)' }

/** One nobody has put into words yet is named as it is. */
export const carrierName = (carrier: string): string => words[carrier] ?? carrier
