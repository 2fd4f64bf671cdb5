import { AskFailed, ask } from './ask.ts'
import { type Core, hopsOf, hopToUri } from './core.ts'
import { type Dialog, nextHopUri, requestWithin } from './dialog.ts'
import { type Hop, TransportError } from './peer.ts'
import type { Trunk } from './trunk.ts'

/**
 * Every way to the other side of a call, best first: where it wants to be asked, the way on which the call was set up, the
 * carrier itself. Many name an address only their own network knows; a phone must not stay connected for that.
 */
async function* waysWithin(core: Core, trunk: Trunk, dialog: Dialog): AsyncGenerator<Hop> {
  const tried = new Set<string>()
  for await (const hop of everyWay(core, trunk, dialog)) {
    const key = [hop.transport, hop.address, hop.port, hop.connection?.isOpen() ?? false].join('|')
    if (!tried.has(key)) yield hop
    tried.add(key)
  }
}

async function* everyWay(core: Core, trunk: Trunk, dialog: Dialog): AsyncGenerator<Hop> {
  const named = await hopToUri(core, trunk, nextHopUri(dialog)).catch(() => null)
  if (named) yield named
  // Not judged again (decision 0056): we have talked with it already.
  const setUp = dialog.way ? await core.transport.hop(dialog.way).catch(() => null) : null
  if (setUp) yield setUp
  yield* await hopsOf(core, trunk).catch(() => [])
}

/** Null when there is none at all. */
export async function wayWithin(core: Core, trunk: Trunk, dialog: Dialog): Promise<Hop | null> {
  for await (const hop of waysWithin(core, trunk, dialog)) return hop
  return null
}

/** Goes on to the next way when nothing of ours can have arrived, so that nothing is asked twice; or `always`. */
export async function alongWays<Result>(
  core: Core,
  trunk: Trunk,
  dialog: Dialog,
  go: (hop: Hop) => Promise<Result>,
  always = false,
): Promise<Result> {
  let last: unknown = new TransportError('No way leads to the other side.', false)
  for await (const hop of waysWithin(core, trunk, dialog)) {
    try {
      return await go(hop)
    } catch (error) {
      const left = error instanceof AskFailed ? error.failure.left : !(error instanceof TransportError) || error.left
      if (left && !always) throw error
      last = error
    }
  }
  throw last
}

/** BYE. Said twice it does no harm, and silence may mean that it never arrived. */
export async function bidFarewell(core: Core, trunk: Trunk, dialog: Dialog): Promise<void> {
  const say = (hop: Hop) => ask(core, trunk, hop, () => requestWithin(dialog, 'BYE'))
  await alongWays(core, trunk, dialog, say, true)
}
