import { createEventLog } from '../simulator/event-log.ts'
import { AskFailed, ask } from './ask.ts'
import { type Core, finishLater, hopsOf } from './core.ts'
import { wordsOfFailure, wordsOfNoWay } from './failure-words.ts'
import { type Header, headerOf, type ReceivedResponse, valuesOf } from './message.ts'
import { parseNameAddr } from './name-addr.ts'
import type { Hop, Peer } from './peer.ts'
import { allowed, contactOf, createCallId, createRequest, createTag } from './request.ts'
import type { Trunk } from './trunk.ts'
import { formatUri } from './uri.ts'

export type RegistrationStatus =
  | { state: 'registering' }
  | { state: 'registered'; seconds: number }
  /** `words` for the operator; another attempt follows. */
  | { state: 'failed'; status: number | null; words: string }
  | { state: 'stopped' }
export type Registration = {
  status(): RegistrationStatus
  events: AsyncIterable<RegistrationStatus>
  /** A connection broke: register anew if it was ours. */
  connectionLost(peer: Peer): void
  /** Takes our address back from the carrier. */
  stop(): Promise<void>
}

const wantedSeconds = 300
const [firstRetryMs, longestRetryMs] = [2_000, 120_000]

/** Keeps the carrier informed about where we are, until stopped. */
export function startRegistration(core: Core, trunk: Trunk, onStop: () => void): Registration {
  const log = createEventLog<RegistrationStatus>()
  const ids = { callId: createCallId(), tag: createTag(), cseq: 0 }
  let status: RegistrationStatus = { state: 'registering' }
  let timer: NodeJS.Timeout | undefined
  let failures = 0
  let stopped = false
  let current: Hop | null = null
  let running: Promise<void> = Promise.resolve()

  function tell(next: RegistrationStatus): void {
    if (next.state !== status.state)
      core.log.info({ trunk: trunk.name, state: next.state }, 'a SIP registration changed')
    status = next
    log.add(next)
  }
  function again(ms: number): void {
    clearTimeout(timer)
    if (stopped) return
    timer = setTimeout(() => {
      running = attempt()
    }, ms)
  }
  async function attempt(): Promise<void> {
    const result = await registerOnce(core, trunk, ids, wantedSeconds)
    if (stopped) return
    if (result.ok) {
      failures = 0
      current = result.hop
      tell({ state: 'registered', seconds: result.seconds })
      // Well before it runs out: one lost attempt must not make us unreachable.
      again(Math.max(result.seconds * 0.8 - 2, result.seconds * 0.5) * 1_000)
      return
    }
    failures += 1
    tell({ state: 'failed', status: result.status, words: result.words })
    again(Math.min(firstRetryMs * 2 ** (failures - 1), longestRetryMs) * (0.75 + Math.random() / 2))
  }
  running = attempt()
  return {
    status: () => status,
    events: log.events,
    connectionLost: (peer) => {
      const isOurs =
        current?.transport === peer.transport && current.address === peer.address && current.port === peer.port
      if (isOurs && status.state === 'registered') again(100 + Math.random() * 400)
    },
    stop: async () => {
      if (stopped) return
      stopped = true
      onStop()
      clearTimeout(timer)
      const wasRegistered = status.state === 'registered'
      tell({ state: 'stopped' })
      log.close()
      const leaving = running.then(() => (wasRegistered ? registerOnce(core, trunk, ids, 0) : null))
      finishLater(core, leaving)
      await leaving.catch(() => {})
    },
  }
}

type Ids = { callId: string; tag: string; cseq: number }
export type Registered =
  | { ok: true; hop: Hop; seconds: number; response: ReceivedResponse }
  | { ok: false; status: number | null; words: string }

/** One REGISTER, challenges answered, at the first of the carrier's machines that takes it. */
export async function registerOnce(core: Core, trunk: Trunk, ids: Ids, seconds: number): Promise<Registered> {
  let last: Registered = { ok: false, status: null, words: 'The carrier has no address.' }
  let hops: Hop[]
  try {
    hops = await hopsOf(core, trunk)
  } catch (error) {
    return { ok: false, status: null, words: wordsOfNoWay(trunk, error) }
  }
  for (const hop of hops) {
    last = await registerAt(core, trunk, ids, hop, seconds)
    if (last.ok || (last.status !== null && last.status !== 503)) return last
  }
  return last
}

async function registerAt(core: Core, trunk: Trunk, ids: Ids, hop: Hop, wanted: number): Promise<Registered> {
  const own = formatUri({ user: trunk.user ?? trunk.name, host: trunk.host })
  let seconds = wanted
  const build = () => {
    ids.cseq += 1
    const headers: Header[] = [
      ['contact', contactOf(hop, trunk.user ?? trunk.name)],
      ['expires', String(seconds)],
      ['allow', allowed],
    ]
    const uri = formatUri({ host: trunk.host, transport: trunk.transport })
    const { callId, cseq, tag } = ids
    return createRequest({
      method: 'REGISTER',
      uri,
      from: `<${own}>;tag=${tag}`,
      to: `<${own}>`,
      callId,
      cseq,
      headers,
    })
  }
  try {
    let { response } = await ask(core, trunk, hop, build)
    const least = Number(headerOf(response, 'min-expires'))
    if (response.status === 423 && least > seconds && least <= 86_400) {
      seconds = least
      response = (await ask(core, trunk, hop, build)).response
    }
    if (response.status >= 300) return { ok: false, status: response.status, words: wordsOf(response.status) }
    return { ok: true, hop, seconds: grantedSeconds(response, hop, seconds), response }
  } catch (error) {
    if (error instanceof AskFailed) return { ok: false, status: null, words: wordsOfFailure(trunk, hop, error) }
    // A fault of our own: it must not end the attempts that follow.
    core.log.error({ err: error, trunk: trunk.name }, 'a registration could not be asked for')
    return { ok: false, status: null, words: 'The registration failed by a fault of ours; the log has it.' }
  }
}

const wordsOf = (status: number): string =>
  status === 401 || status === 403 || status === 407
    ? 'The carrier refused our name or password.'
    : `The carrier answered ${status}.`

/** For our own Contact when it is listed, for all of them otherwise. */
function grantedSeconds(response: ReceivedResponse, hop: Hop, wanted: number): number {
  const place = `${hop.local.host}:${hop.local.port}`
  const contacts = valuesOf(response, 'contact').flatMap((value) => {
    try {
      return [parseNameAddr(value)]
    } catch {
      return []
    }
  })
  const ours = contacts.find(({ uri }) => uri.includes(place)) ?? contacts[0]
  const seconds = Number(ours?.params.get('expires') ?? headerOf(response, 'expires'))
  return seconds >= 1 && seconds <= 86_400 ? seconds : Math.max(wanted, 60)
}
