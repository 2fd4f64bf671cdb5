import { AskFailed, ask } from './ask.ts'
import { type Core, hopsOf } from './core.ts'
import { wordsOfFailure, wordsOfNoWay } from './failure-words.ts'
import { headerOf, type ReceivedResponse } from './message.ts'
import type { Hop } from './peer.ts'
import { createCallId, createRequest, createTag } from './request.ts'
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
    return failed(wordsOfNoWay(trunk, error))
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

function seenAs({ vias: [via] }: ReceivedResponse): string | null {
  const host = via?.params.get('received')
  const port = via?.params.get('rport')
  return host ? `${host}${port ? `:${port}` : ''}` : null
}
