import type { Trunk as TrunkData } from '../../agents/trunk.ts'
import type { Trunk } from './trunk.ts'

/** Known by its id: names are the organisation's own affair, and need not differ between two of them. */
export const toSipTrunk = (trunk: TrunkData, ca?: string): Trunk => ({
  name: trunk.trunkId,
  host: trunk.host,
  ...(trunk.port === null ? {} : { port: trunk.port }),
  transport: trunk.transport,
  ...(trunk.user === null ? {} : { user: trunk.user }),
  ...(trunk.password === null ? {} : { password: trunk.password }),
  ...(trunk.callerId === null ? {} : { callerId: trunk.callerId }),
  register: trunk.register,
  srtp: trunk.srtp,
  ...(ca === undefined ? {} : { ca }),
  inboundAddresses: trunk.inboundAddresses,
})
