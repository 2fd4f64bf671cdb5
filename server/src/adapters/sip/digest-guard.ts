import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Algorithm, digestParams, digestResponse } from './digest.ts'
import { type Header, headerOf, type ReceivedRequest } from './message.ts'

export type Account = { user: string; password: string }
export type DigestGuard<Who extends Account> = {
  /** Whose name and password the request proves; null when none. */
  check(request: ReceivedRequest, accounts: readonly Who[]): Who | null
  challenges(): Header[]
}

const realm = 'parley'
const validMs = 60_000

/** Strangers may prove who they are. Nothing is remembered of those who cannot: the nonce carries its own time and seal. */
export function createDigestGuard<Who extends Account>(nowMs: () => number): DigestGuard<Who> {
  const secret = randomBytes(32)
  /** Proofs that have served, and those of the minute before: a proof that was overheard opens nothing. */
  let [used, usedBefore] = [new Set<string>(), new Set<string>()]
  let turnedMs = 0
  const isFirstUse = (proof: string): boolean => {
    if (nowMs() - turnedMs > validMs) {
      usedBefore = used
      used = new Set()
      turnedMs = nowMs()
    }
    if (used.has(proof) || usedBefore.has(proof)) return false
    used.add(proof)
    return true
  }
  const seal = (text: string) => createHmac('sha256', secret).update(text).digest('hex').slice(0, 32)
  const isFresh = (nonce: string): boolean => {
    const [made = '', given = ''] = nonce.split('.')
    const age = nowMs() - Number.parseInt(made, 36)
    return equal(given, seal(made)) && age >= 0 && age <= validMs
  }

  return {
    check: (request, accounts) => {
      const params = digestParams(headerOf(request, 'authorization') ?? '')
      const nonce = params?.get('nonce') ?? ''
      if (!params || !isFresh(nonce) || params.get('realm') !== realm) return null
      const given = params.get('response') ?? ''
      const qop = params.get('qop') === 'auth' ? ('auth' as const) : null
      // Without a counter, or for another address, a proof would serve for more than one request.
      if (qop === null || params.get('uri') !== request.uri) return null
      const algorithm: Algorithm = params.get('algorithm')?.toUpperCase() === 'SHA-256' ? 'SHA-256' : 'MD5'
      const challenge = { realm, nonce, algorithm, qop, opaque: null, stale: false }
      const sums = { nc: params.get('nc') ?? '', cnonce: params.get('cnonce') ?? '' }
      const asked = { challenge, method: request.method, uri: request.uri, ...sums }
      const matches = accounts.filter(
        ({ user, password }) =>
          user === params.get('username') && equal(given, digestResponse({ ...asked, user, password })),
      )
      const [who] = matches
      return who && isFirstUse(given) ? who : null
    },
    challenges: () => {
      const made = nowMs().toString(36)
      const nonce = `${made}.${seal(made)}`
      // MD5 first: the switchboards that need this look at the first challenge only, and give up at a name they do not know.
      return (['MD5', 'SHA-256'] as const).map((algorithm) => [
        'www-authenticate',
        `Digest realm="${realm}", nonce="${nonce}", algorithm=${algorithm}, qop="auth"`,
      ])
    },
  }
}

function equal(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
