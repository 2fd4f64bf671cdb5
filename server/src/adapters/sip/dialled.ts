import { headerOf, type ReceivedRequest } from './message.ts'
import { parseNameAddr } from './name-addr.ts'
import type { Trunk } from './trunk.ts'
import { userOf } from './uri.ts'

/**
 * What the caller may have dialled, most likely first. To whoever registered, a carrier says the account's name in the
 * Request-URI (our own Contact, RFC 3261 §16.5); the number is in P-Called-Party-ID (RFC 7315) or in To. To may also name
 * somebody who forwards their calls here: then the account, where it is a number, is what was reached.
 */
export function dialledNumbers(request: ReceivedRequest, trunks: readonly Trunk[]): string[] {
  const asked = userOf(request.uri)
  const isAccount = trunks.some((trunk) => trunk.register && (trunk.user ?? trunk.name) === asked)
  const named = userOf(request.to.uri)
  const all = isAccount ? [calledParty(request), named, asked] : [asked || named]
  return [...new Set(all)].filter((each) => each !== '')
}

function calledParty(request: ReceivedRequest): string {
  try {
    return userOf(parseNameAddr(headerOf(request, 'p-called-party-id') ?? '').uri)
  } catch {
    return ''
  }
}
