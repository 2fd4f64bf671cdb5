import { AskFailed, ask } from './ask.ts'
import { type Core, hopsOf } from './core.ts'
import { headerOf, type ReceivedResponse } from './message.ts'
import type { Hop } from './peer.ts'
import { createCallId, createRequest, createTag } from './request.ts'
import { NameNotFound, PrivateTarget } from './targets.ts'
import type { Trunk } from './trunk.ts'
import { formatUri } from './uri.ts'

/** What an OPTIONS told about a trunk, in words for the operator. */
export type Probe = {
  ok: boolean
  status: number | null
  words: string
  /** How the carrier sees us, when it says so. */
  seenAs: string | null
  roundTripMs: number | null
}

/** Asks every machine of the carrier in turn until one answers. */
export async function probe(core: Core, trunk: Trunk): Promise<Probe> {
  const failed = (words: string): Probe => ({ ok: false, status: null, words, seenAs: null, roundTripMs: null })
  let hops: Hop[]
  try {
    hops = await hopsOf(core, trunk)
  } catch (error) {
    const isKnown = error instanceof NameNotFound || error instanceof PrivateTarget
    return failed(isKnown ? error.message : `The way to ${trunk.host} could not be found.`)
  }
  let last = failed('The carrier has no address.')
  for (const hop of hops) {
    last = await probeAt(core, trunk, hop)
    if (last.ok) return last
  }
  return last
}

async function probeAt(core: Core, trunk: Trunk, hop: Hop): Promise<Probe> {
  const began = performance.now()
  const ids = { callId: createCallId(), tag: createTag() }
  let cseq = 0
  const own = formatUri({ user: trunk.user ?? 'parley', host: trunk.host })
  const uri = formatUri({ host: trunk.host, port: trunk.port ?? null, transport: trunk.transport })
  try {
    const { response } = await ask(core, trunk, hop, () => {
      cseq += 1
      const from = `<${own}>;tag=${ids.tag}`
      const headers = [['accept', 'application/sdp'] as const]
      return createRequest({ method: 'OPTIONS', uri, from, to: `<${uri}>`, callId: ids.callId, cseq, headers })
    })
    const roundTripMs = Math.round(performance.now() - began)
    return { ...judge(response), status: response.status, seenAs: seenAs(response), roundTripMs }
  } catch (error) {
    if (!(error instanceof AskFailed)) throw error
    const words = wordsOfFailure(trunk, hop, error)
    return { ok: false, status: null, words, seenAs: null, roundTripMs: null }
  }
}

/** Whatever the answer, someone is there and speaks SIP. Only what stops calls too is a failure. */
function judge({ status, headers }: ReceivedResponse): { ok: boolean; words: string } {
  if (status === 401 || status === 407) return { ok: false, words: 'The carrier refused our name or password.' }
  if (status === 403)
    return { ok: false, words: 'The carrier does not let us in: our address or account is not known there.' }
  if (status >= 500) {
    const after = headerOf({ headers }, 'retry-after')
    return {
      ok: false,
      words: `The carrier answers, but is not well (${status}${after ? `, again in ${after} s` : ''}).`,
    }
  }
  return { ok: true, words: `The carrier answers (${status}).` }
}

const certificateTroubles: readonly [RegExp, string][] = [
  [/expired/i, 'it has expired'],
  [/not yet valid/i, 'it is not valid yet'],
  [/altname|does not match/i, 'it is for another name'],
  [/certificate|self-signed|unable to (get|verify)/i, 'no authority trusted here has signed it'],
]
const connectionTroubles: readonly [RegExp, string][] = [
  [/ECONNREFUSED|refused/i, 'it cannot be reached, the connection was refused: nothing listens there'],
  [/EHOSTUNREACH|ENETUNREACH/i, 'it cannot be reached from this machine, there is no way there'],
  [/ETIMEDOUT|timed? ?out/i, 'it cannot be reached, the connection timed out'],
  [/wrong version|SSL|TLS|EPROTO/i, 'it cannot be reached, what listens there does not speak TLS'],
]

function wordsOfFailure(trunk: Trunk, hop: Hop, { failure }: AskFailed): string {
  const place = `${hop.address} port ${hop.port} over ${hop.transport.toUpperCase()}`
  if (failure.kind === 'timeout') {
    return `Nothing came back from ${place}: check host, port and firewall, and that the carrier knows our address.`
  }
  const certificate = certificateTroubles.find(([sign]) => sign.test(failure.message))
  if (certificate) return `The certificate of ${trunk.host} was not accepted: ${certificate[1]} (${failure.message}).`
  const trouble = connectionTroubles.find(([sign]) => sign.test(failure.message))?.[1] ?? 'it cannot be reached'
  return `${place}: ${trouble} (${failure.message}).`
}

function seenAs({ vias: [via] }: ReceivedResponse): string | null {
  const host = via?.params.get('received')
  const port = via?.params.get('rport')
  return host ? `${host}${port ? `:${port}` : ''}` : null
}
