import { parseInstant as parse } from '@parley/contract/instant'

// The dashboard reads times by the same rules, so they stand in the contract.
export const parseInstant = parse
