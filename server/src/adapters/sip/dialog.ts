import {
  type Header,
  headerOf,
  type ReceivedRequest,
  type ReceivedResponse,
  type SipRequest,
  valuesOf,
} from './message.ts'
import { parseNameAddr } from './name-addr.ts'
import type { Peer } from './peer.ts'
import { createRequest } from './request.ts'
import { parseUri } from './uri.ts'

/** RFC 3261 §12. Changes only through the functions here. */
export type Dialog = {
  callId: string
  localTag: string
  remoteTag: string
  /** Header values with tags. */
  local: string
  remote: string
  /** Where the other side wants to be asked. */
  target: string
  routes: readonly string[]
  /** Whom the call was set up with, for when nothing else leads there; null when that is not known. */
  way: Peer | null
  localSeq: number
  remoteSeq: number
}

/** After a 1xx or 2xx with a tag. */
export function dialogOfResponse(
  invite: SipRequest,
  response: ReceivedResponse,
  localTag: string,
  way: Peer | null = null,
): Dialog {
  return {
    callId: response.callId,
    localTag,
    remoteTag: response.to.params.get('tag') ?? '',
    local: headerOf(response, 'from') ?? '',
    remote: headerOf(response, 'to') ?? '',
    target: contactUri(response) ?? invite.uri,
    routes: routesOf(response).reverse(),
    way,
    localSeq: response.cseq.number,
    remoteSeq: -1,
  }
}

/** For a call that came in; `localTag` is what our answers carry. */
export function dialogOfInvite(invite: ReceivedRequest, localTag: string, way: Peer | null = null): Dialog {
  return {
    callId: invite.callId,
    localTag,
    remoteTag: invite.from.params.get('tag') ?? '',
    local: `${headerOf(invite, 'to') ?? ''};tag=${localTag}`,
    remote: headerOf(invite, 'from') ?? '',
    target: contactUri(invite) ?? invite.from.uri,
    routes: routesOf(invite),
    way,
    localSeq: 0,
    remoteSeq: invite.cseq.number,
  }
}

/** Only what can be gone through: a route nobody can read would leave the call without a way to end it. */
const routesOf = (message: ReceivedRequest | ReceivedResponse): string[] =>
  valuesOf(message, 'record-route').filter((route) => {
    try {
      parseUri(parseNameAddr(route).uri)
      return true
    } catch {
      return false
    }
  })

/** Null when it is missing or not one we could ask. */
export function contactUri(message: ReceivedRequest | ReceivedResponse): string | null {
  const [contact] = valuesOf(message, 'contact')
  if (contact === undefined) return null
  try {
    const { uri } = parseNameAddr(contact)
    parseUri(uri)
    return uri
  } catch {
    return null
  }
}

/** A re-INVITE or UPDATE, and the answers to ours, may name a new place (RFC 3261 §12.2). */
export function refreshTarget(dialog: Dialog, message: ReceivedRequest | ReceivedResponse): void {
  dialog.target = contactUri(message) ?? dialog.target
}

/** False: it comes too late, or twice under a new name. */
export function acceptsSeq(dialog: Dialog, request: ReceivedRequest): boolean {
  if (request.cseq.number < dialog.remoteSeq) return false
  dialog.remoteSeq = request.cseq.number
  return true
}

const firstRoute = (dialog: Dialog): string | null => {
  const [route] = dialog.routes
  return route === undefined ? null : parseNameAddr(route).uri
}
const isLoose = (uri: string): boolean => parseUri(uri).params.has('lr')

/** Where a request inside the dialog goes first. */
export const nextHopUri = (dialog: Dialog): string => firstRoute(dialog) ?? dialog.target

type Within = { headers?: readonly Header[]; body?: { type: string; text: string } | null; cseq?: number }

/** An ACK repeats the number of its INVITE; everything else counts on. */
export function requestWithin(
  dialog: Dialog,
  method: string,
  { headers = [], body = null, cseq }: Within = {},
): SipRequest {
  if (cseq === undefined) dialog.localSeq += 1
  const first = firstRoute(dialog)
  // A strict router wants to be the request's own address, and the target last (RFC 3261 §12.2.1.1).
  const strict = first !== null && !isLoose(first)
  return createRequest({
    method,
    uri: strict ? first : dialog.target,
    from: dialog.local,
    to: dialog.remote,
    callId: dialog.callId,
    cseq: cseq ?? dialog.localSeq,
    routes: strict ? [...dialog.routes.slice(1), `<${dialog.target}>`] : dialog.routes,
    headers,
    body,
  })
}
