import { createEventLog } from '../simulator/event-log.ts'
import type { Core } from './core.ts'
import { type Probe, probe } from './probe.ts'
import type { Trunk } from './trunk.ts'

export type KeepAlive = {
  /** Every change between well and not well, from the first outcome on. */
  events: AsyncIterable<Probe>
  latest(): Probe | null
  stop(): void
}

/** An OPTIONS every so often: keeps holes in firewalls and connections open, and tells when the carrier is away. */
export function startKeepAlive(core: Core, trunk: Trunk, everySeconds: number, onStop: () => void): KeepAlive {
  const log = createEventLog<Probe>()
  let latest: Probe | null = null
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function attempt(): Promise<void> {
    const outcome = await probe(core, trunk)
    if (stopped) return
    if (outcome.ok !== latest?.ok) {
      core.log.info({ trunk: trunk.name, ok: outcome.ok, status: outcome.status }, 'a SIP trunk changed')
      log.add(outcome)
    }
    latest = outcome
    timer = setTimeout(() => void attempt(), everySeconds * 1_000)
  }
  void attempt()
  return {
    events: log.events,
    latest: () => latest,
    stop: () => {
      stopped = true
      onStop()
      clearTimeout(timer)
      log.close()
    },
  }
}
