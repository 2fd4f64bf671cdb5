import { authorisation, type Challenge, digestParams, parseChallenge } from './digest.ts'
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
type Known = { kind: Kind; challenge: Challenge; used: number }

/** No way leads through more proxies that ask; whoever goes on is not remembered. */
const mostRealms = 8

/** One per trunk, so that a nonce serves many requests (its counter tells them apart). */
export function createCredentials(trunk: { user?: string; password?: string }): Credentials {
  /** By who asks: several proxies on the way may, each for a realm of its own (RFC 3261 §22.3). */
  const known = new Map<string, Known>()
  const { user, password } = trunk

  return {
    apply: (request) => {
      if (user === undefined || password === undefined) return request
      // Whoever asked last comes first: some look no further than that.
      const answers = [...known.values()].reverse().map((entry): Header => {
        entry.used += 1
        const answering = { challenge: entry.challenge, method: request.method, uri: request.uri, user, password }
        return [entry.kind, authorisation(answering, entry.used)]
      })
      return withHeaders(request, answers)
    },
    learn: (response, asked) => {
      if (user === undefined || password === undefined) return false
      const kind: Kind = response.status === 407 ? 'proxy-authorization' : 'authorization'
      const challenges = bestChallenges(response, kind).slice(0, mostRealms)
      const canHelp = challenges.map((challenge) => {
        const key = `${kind} ${challenge.realm}`
        const before = answerTo(asked, kind, challenge.realm)
        const wasFresh = before !== undefined && isFirstUse(before, known.get(key)?.used ?? 0)
        known.delete(key)
        known.set(key, { kind, challenge, used: 0 })
        const [oldest = key] = known.keys()
        if (known.size > mostRealms) known.delete(oldest)
        // Refused although the nonce was fresh: the password is wrong. That of an earlier request may have grown old.
        return !wasFresh || challenge.stale
      })
      return canHelp.length > 0 && canHelp.every(Boolean)
    },
  }
}

const answerTo = (asked: SipRequest, kind: Kind, realm: string): string | undefined =>
  asked.headers.find(([name, value]) => name === kind && digestParams(value)?.get('realm') === realm)?.[1]

const isFirstUse = (header: string, used: number): boolean =>
  /\bnc=/.test(header) ? /\bnc=00000001\b/.test(header) : used <= 1

/** Of every realm the strongest we can answer (RFC 8760 §2.4). */
function bestChallenges(response: ReceivedResponse, kind: Kind): Challenge[] {
  const name = kind === 'authorization' ? 'www-authenticate' : 'proxy-authenticate'
  const challenges = response.headers
    .filter(([each]) => each === name)
    .map(([, value]) => parseChallenge(value))
    .filter((each) => each !== null)
  const realms = [...new Set(challenges.map(({ realm }) => realm))]
  return realms.flatMap((realm) => {
    const ofRealm = challenges.filter((each) => each.realm === realm)
    return ofRealm.find(({ algorithm }) => algorithm === 'SHA-256') ?? ofRealm.slice(0, 1)
  })
}
