import { Resolver } from 'node:dns/promises'
import { createResolve } from '../../platform/dns.ts'
import type { SipResolver } from './targets.ts'

/** Names of carriers, asked of the machine's name servers (or of `servers`). */
export function createSipResolver(servers?: string[]): SipResolver {
  const resolve = createResolve(servers)
  return {
    addresses: resolve,
    srv: async (name) => {
      const resolver = new Resolver({ timeout: 1_000, tries: 2 })
      if (servers) resolver.setServers(servers)
      try {
        return await resolver.resolveSrv(name)
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : ''
        if (code === 'ENOTFOUND' || code === 'ENODATA') return []
        throw error
      }
    },
  }
}
