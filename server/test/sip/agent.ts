import type { CallEvent, SipCall } from '../../src/adapters/sip/call.ts'
import type { DialOptions } from '../../src/adapters/sip/dialling.ts'
import type { Invitation } from '../../src/adapters/sip/invitation.ts'
import type { SipResolver } from '../../src/adapters/sip/targets.ts'
import type { Trunk } from '../../src/adapters/sip/trunk.ts'
import { createUserAgent, type UserAgent, type UserAgentOptions } from '../../src/adapters/sip/user-agent.ts'
import { createLog } from '../../src/platform/log.ts'
import { atEnd } from '../at-end.ts'

/** For lines that lose packets: everything waits a tenth as long as the RFC says. */
export const quick = { t1Ms: 50, t2Ms: 400, t4Ms: 100, connectMs: 1_000 }
export const noNames: SipResolver = { srv: async () => [], addresses: async () => [] }
export const never = new AbortController().signal

const opened: UserAgent[] = []
/** Registers the clean-up: every agent is closed at the end of the file. */
export function closeAgentsAtEnd(): void {
  atEnd(async () => {
    await Promise.all(opened.splice(0).map((agent) => agent.close()))
  })
}

type AgentOptions = Partial<Omit<UserAgentOptions, 'trunks'>> & { trunks?: readonly Trunk[] }

export async function startAgent({ trunks = [], ...options }: AgentOptions = {}): Promise<UserAgent> {
  const agent = await createUserAgent({
    log: createLog('silent'),
    listen: { host: '127.0.0.1', udpPort: 0, tcpPort: 0 },
    resolve: noNames,
    allowPrivate: true,
    trunks: () => trunks,
    onInvite: (invitation) => invitation.reject(486, 'Busy Here'),
    ...options,
  })
  opened.push(agent)
  return agent
}

export const trunkTo = (port: number, more: Partial<Trunk> = {}): Trunk => ({
  name: 'test',
  host: '127.0.0.1',
  port,
  transport: 'udp',
  register: false,
  srtp: 'off',
  ...more,
})

export const media = { address: '127.0.0.1', port: 40_000 }
export const dialOptions = (more: Partial<DialOptions> = {}): DialOptions => ({
  callId: 'call_test',
  from: '+15005550000',
  to: '+15005550001',
  media,
  ringSeconds: 20,
  ...more,
})

/** Everything that happened on a call, once it is over. */
export async function eventsOf(call: SipCall): Promise<CallEvent[]> {
  const events: CallEvent[] = []
  for await (const event of call.events) events.push(event)
  return events
}
export const typesOf = async (call: SipCall): Promise<string[]> => (await eventsOf(call)).map(({ type }) => type)
export async function endOf(call: SipCall) {
  const last = (await eventsOf(call)).at(-1)
  if (last?.type !== 'ended') throw new Error('The call has no end.')
  return last.end
}

/** Waits for the first event of that type; fails when the call ends without it. */
export async function until<Type extends CallEvent['type']>(
  call: SipCall,
  type: Type,
): Promise<Extract<CallEvent, { type: Type }>> {
  for await (const event of call.events) if (event.type === type) return event as Extract<CallEvent, { type: Type }>
  throw new Error(`The call ended without ${type}.`)
}

/** Answers every call, and keeps what it got. */
export function answering(more: (invitation: Invitation, call: SipCall) => void = () => {}) {
  const calls: SipCall[] = []
  const onInvite = (invitation: Invitation) => {
    invitation.ring()
    const call = invitation.answer({ address: '127.0.0.1', port: 40_002 })
    calls.push(call)
    more(invitation, call)
  }
  return { calls, onInvite }
}
