import { randomBytes } from 'node:crypto'
import {
  type Header,
  headerOf,
  type ReceivedRequest,
  type ReceivedResponse,
  type SipRequest,
  type SipResponse,
} from './message.ts'
import type { Hop } from './peer.ts'
import { formatUri } from './uri.ts'
import { hostInUri } from './via.ts'

export const product = 'Parley'
/** What we understand inside a call. */
export const allowed = 'INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, PRACK, UPDATE, NOTIFY'
export const supported = '100rel, timer'

export const createTag = (): string => randomBytes(10).toString('hex')
export const createBranch = (): string => `z9hG4bK${randomBytes(12).toString('hex')}`
export const createCallId = (): string => randomBytes(16).toString('hex')

export type RequestParts = {
  method: string
  uri: string
  /** Whole header values, tags included. */
  from: string
  to: string
  callId: string
  cseq: number
  routes?: readonly string[]
  headers?: readonly Header[]
  body?: { type: string; text: string } | null
}

/** Everything but Via, which the transaction puts on top. */
export function createRequest(parts: RequestParts): SipRequest {
  const headers: Header[] = [
    ['max-forwards', '70'],
    ['from', parts.from],
    ['to', parts.to],
    ['call-id', parts.callId],
    ['cseq', `${parts.cseq} ${parts.method}`],
    ...(parts.routes ?? []).map((route): Header => ['route', route]),
    ['user-agent', product],
    ...(parts.headers ?? []),
    ...(parts.body ? [['content-type', parts.body.type] as const] : []),
  ]
  const body = Buffer.from(parts.body?.text ?? '', 'utf8')
  return { kind: 'request', method: parts.method, uri: parts.uri, headers, body }
}

/** `alias` asks for the connection to be used both ways (RFC 5923). */
export const viaOf = (hop: Hop, branch: string): Header => {
  const place = `${hostInUri(hop.local.host)}:${hop.local.port}`
  const alias = hop.sameConnection ? ';alias' : ''
  return ['via', `SIP/2.0/${hop.transport.toUpperCase()} ${place};branch=${branch};rport${alias}`]
}

/** `ob` says that requests come to us on the flow they were asked for on (RFC 5626). */
export const contactOf = (hop: Hop, user: string): string => {
  const { host, port } = hop.local
  return `<${formatUri({ user, host, port, transport: hop.transport })}${hop.sameConnection ? ';ob' : ''}>`
}

export const withHeaders = <Message extends { headers: readonly Header[] }>(
  message: Message,
  changes: readonly Header[],
): Message => ({
  ...message,
  headers: [...message.headers.filter(([name]) => !changes.some(([changed]) => changed === name)), ...changes],
})

const copied = (request: ReceivedRequest, name: string): Header[] => request.headers.filter(([each]) => each === name)

type Answer = { toTag?: string; headers?: readonly Header[]; body?: { type: string; text: string } | null }

export function createResponse(
  request: ReceivedRequest,
  status: number,
  reason: string,
  answer: Answer = {},
): SipResponse {
  const to = headerOf(request, 'to') ?? ''
  const tagged = answer.toTag && !request.to.params.has('tag') ? `${to};tag=${answer.toTag}` : to
  const headers: Header[] = [
    ...copied(request, 'via'),
    ...copied(request, 'from'),
    ['to', tagged],
    ...copied(request, 'call-id'),
    ...copied(request, 'cseq'),
    ...(answer.headers ?? []),
    ['server', product],
    ...(answer.body ? [['content-type', answer.body.type] as const] : []),
  ]
  return { kind: 'response', status, reason, headers, body: Buffer.from(answer.body?.text ?? '', 'utf8') }
}

/** The acknowledgement of a refusal belongs to the INVITE's own transaction (RFC 3261 §17.1.1.3). */
export function ackOfRefusal(invite: SipRequest, response: ReceivedResponse): SipRequest {
  return ofSameTransaction(invite, 'ACK', headerOf(response, 'to') ?? '')
}

export const cancelOf = (invite: SipRequest): SipRequest =>
  ofSameTransaction(invite, 'CANCEL', headerOf(invite, 'to') ?? '')

function ofSameTransaction(invite: SipRequest, method: string, to: string): SipRequest {
  const keep = (name: string): Header[] => invite.headers.filter(([each]) => each === name)
  const [number] = (headerOf(invite, 'cseq') ?? '').split(' ')
  const headers: Header[] = [
    ...keep('via').slice(0, 1),
    ...keep('max-forwards'),
    ...keep('from'),
    ['to', to],
    ...keep('call-id'),
    ['cseq', `${number} ${method}`],
    ...keep('route'),
    ['user-agent', product],
  ]
  return { kind: 'request', method, uri: invite.uri, headers, body: Buffer.alloc(0) }
}
