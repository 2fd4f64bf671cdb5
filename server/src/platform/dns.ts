import { Resolver } from 'node:dns/promises'
import { type Resolve, resolveAll } from './safe-url.ts'

/**
 * Names for sending. dns.lookup has two threads for the whole process: two names whose servers never answer would keep
 * every other endpoint waiting. This asks over sockets. Only what DNS says it does not know is looked up the other way,
 * which reads the hosts file. Made anew each time, because it reads the machine's settings when it is made.
 */
export const createResolve =
  (servers?: string[]): Resolve =>
  async (hostname) => {
    const resolver = new Resolver({ timeout: 1_000, tries: 2 })
    if (servers) resolver.setServers(servers)
    const asked = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const found = asked.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    if (found.length > 0) return found
    const isUnknown = asked.every(
      (each) => each.status === 'rejected' && /^(ENOTFOUND|ENODATA)$/.test(each.reason.code),
    )
    if (isUnknown) return resolveAll(hostname)
    throw Object.assign(new Error(`The name servers gave no answer about ${hostname}.`), { code: 'ESERVFAIL' })
  }
