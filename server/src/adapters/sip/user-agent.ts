import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, systemClock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { SipCall } from './call.ts'
import type { Core } from './core.ts'
import { type Credentials, createCredentials } from './credentials.ts'
import { dial } from './dial.ts'
import type { DialOptions } from './dialling.ts'
import type { Dialog } from './dialog.ts'
import { createGate } from './gate.ts'
import type { Invitation } from './invitation.ts'
import { type KeepAlive, startKeepAlive } from './keep-alive.ts'
import { createKnownTrunks } from './known-trunks.ts'
import { type Probe, probe } from './probe.ts'
import { type Registration, startRegistration } from './registration.ts'
import type { SipResolver } from './targets.ts'
import { rfcTiming, type Timing } from './timing.ts'
import { createTransactions } from './transactions.ts'
import { type Listen, openTransport } from './transport.ts'
import type { Trunk } from './trunk.ts'
import { bidFarewell } from './ways.ts'

export type UserAgentOptions = {
  log: Log
  listen: Listen
  /** How carriers reach us, for signalling and sound, when that is not the machine's own address. */
  publicAddress?: string
  resolve: SipResolver
  /** Whether trunks given by name may lead into private networks. */
  allowPrivate: boolean
  /** Whose calls we take. Asked again once a minute, and on `refreshTrunks`. */
  trunks(): readonly Trunk[] | Promise<readonly Trunk[]>
  onInvite(invitation: Invitation): void
  timing?: Partial<Timing>
  clock?: Clock
}
export type UserAgent = {
  /** Where we listen; ports asked for as 0 are known now. */
  ports: { udp: number; tcp: number; tls: number | null }
  dial(trunk: Trunk, options: DialOptions, signal: AbortSignal): Promise<SipCall>
  register(trunk: Trunk): Registration
  options(trunk: Trunk): Promise<Probe>
  keepAlive(trunk: Trunk, everySeconds: number): KeepAlive
  refreshTrunks(): Promise<void>
  /** Says goodbye in a call of a node that has died. Resolves when the other side knows, or will not be told. */
  endDialog(trunk: Trunk, dialog: Dialog): Promise<void>
  openCalls(): number
  /** Ends every call, takes back every registration, and stops listening. */
  close(): Promise<void>
}

/** How long closing waits for BYE and de-registration to be answered. */
const farewellMs = 3_000

export async function createUserAgent(options: UserAgentOptions): Promise<UserAgent> {
  const { log, clock = systemClock } = options
  const timing = { ...rfcTiming, ...options.timing }
  const trunks = createKnownTrunks({ resolver: options.resolve, log }, options.trunks)
  const registrations = new Set<Registration>()
  const keepAlives = new Set<KeepAlive>()
  const gate = createGate(() => core, trunks, options.onInvite, clock)
  const transactions = createTransactions({ timing, transport: () => transport }, gate)
  const transport = await openTransport({
    listen: options.listen,
    ...(options.publicAddress ? { publicAddress: options.publicAddress } : {}),
    connectMs: timing.connectMs,
    log,
    onMessage: transactions.receive,
    onLost: (peer) => {
      for (const registration of registrations) registration.connectionLost(peer)
    },
  })
  const core: Core = {
    log,
    timing,
    transport,
    transactions,
    resolver: options.resolve,
    dialogs: new Map(),
    calls: new Set(),
    invitations: new Set(),
    isClosing: false,
    publicAddress: options.publicAddress ?? null,
    allowPrivate: options.allowPrivate,
    credentialsOf: rememberCredentials(),
    finishing: new Set(),
  }
  await trunks
    .refresh()
    .catch((err: unknown) => log.warn({ err }, 'the addresses of the trunks could not be looked up'))
  let closing: Promise<void> | null = null
  const close = async () => {
    core.isClosing = true
    trunks.stop()
    for (const turnAway of core.invitations) turnAway()
    for (const keepAlive of keepAlives) keepAlive.stop()
    for (const call of core.calls) void call.hangup()
    for (const registration of registrations) void registration.stop()
    await whenFinished(core)
    transactions.close()
    await transport.close()
  }
  return {
    ports: transport.ports,
    dial: (trunk, dialOptions, signal) =>
      closing ? Promise.reject(new Error('The user agent is closed.')) : dial(core, trunk, dialOptions, signal),
    register: (trunk) => {
      const registration = startRegistration(core, trunk, () => registrations.delete(registration))
      registrations.add(registration)
      return registration
    },
    options: (trunk) => probe(core, trunk),
    keepAlive: (trunk, everySeconds) => {
      const keepAlive = startKeepAlive(core, trunk, everySeconds, () => keepAlives.delete(keepAlive))
      keepAlives.add(keepAlive)
      return keepAlive
    },
    refreshTrunks: trunks.refresh,
    endDialog: (trunk, dialog) => bidFarewell(core, trunk, dialog),
    openCalls: () => core.calls.size,
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

async function whenFinished(core: Core): Promise<void> {
  const limit = new AbortController()
  const patience = sleep(farewellMs, null, { signal: limit.signal }).catch(() => {})
  const all = async () => {
    while (core.finishing.size > 0) await Promise.all(core.finishing)
  }
  await Promise.race([all(), patience])
  limit.abort()
}

/** By name and password: a trunk whose password was changed begins anew. */
function rememberCredentials(): (trunk: Trunk) => Credentials {
  const known = new Map<string, Credentials>()
  return (trunk) => {
    const key = JSON.stringify([trunk.name, trunk.host, trunk.user, trunk.password])
    const credentials = known.get(key) ?? createCredentials(trunk)
    known.set(key, credentials)
    return credentials
  }
}
