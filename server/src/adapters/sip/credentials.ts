import { authorisation, type Challenge, parseChallenge } from './digest.ts'
import type { Header, ReceivedResponse, SipRequest } from './message.ts'
import { withHeaders } from './request.ts'

export type Credentials = {
  /** Adds answers to the challenges known by now. */
  apply(request: SipRequest): SipRequest
  /**
   * Learns from a 401 or 407. True: asking again can help. False: there is no name and password, or they were refused:
   * asking on would only lock the account.
   */
  learn(response: ReceivedResponse, asked: SipRequest): boolean
}

type Kind = 'authorization' | 'proxy-authorization'
type Known = { challenge: Challenge; used: number }

/** One per trunk, so that a nonce serves many requests (its counter tells them apart). */
export function createCredentials(trunk: { user?: string; password?: string }): Credentials {
  const known = new Map<Kind, Known>()
  const { user, password } = trunk

  return {
    apply: (request) => {
      if (user === undefined || password === undefined) return request
      const answers = [...known].map(([kind, entry]): Header => {
        entry.used += 1
        const answering = { challenge: entry.challenge, method: request.method, uri: request.uri, user, password }
        return [kind, authorisation(answering, entry.used)]
      })
      return withHeaders(request, answers)
    },
    learn: (response, asked) => {
      if (user === undefined || password === undefined) return false
      const kind: Kind = response.status === 407 ? 'proxy-authorization' : 'authorization'
      const challenge = bestChallenge(response, kind)
      if (!challenge) return false
      const before = asked.headers.find(([name]) => name === kind)?.[1]
      const wasFresh = before !== undefined && isFirstUse(before, known.get(kind)?.used ?? 0)
      known.set(kind, { challenge, used: 0 })
      // Refused although the nonce was fresh: the password is wrong. The nonce of an earlier request may have grown old.
      return !wasFresh || challenge.stale
    },
  }
}

const isFirstUse = (header: string, used: number): boolean =>
  /\bnc=/.test(header) ? /\bnc=00000001\b/.test(header) : used <= 1

/** The strongest we can answer (RFC 8760 §2.4). */
function bestChallenge(response: ReceivedResponse, kind: Kind): Challenge | null {
  const name = kind === 'authorization' ? 'www-authenticate' : 'proxy-authenticate'
  const challenges = response.headers
    .filter(([each]) => each === name)
    .map(([, value]) => parseChallenge(value))
    .filter((each) => each !== null)
  return challenges.find(({ algorithm }) => algorithm === 'SHA-256') ?? challenges[0] ?? null
}
