import { splitOutside } from './grammar.ts'
import type { NameAddr } from './name-addr.ts'
import type { Via } from './via.ts'

/** Lower case, long form. In the order they came: Via, Route and Record-Route mean something by it. */
export type Header = readonly [name: string, value: string]

/** What every message must have, read when it is parsed: whoever gets a message need not ask again. */
export type Essentials = {
  vias: readonly Via[]
  from: NameAddr
  to: NameAddr
  callId: string
  cseq: { number: number; method: string }
}
export type SipRequest = { kind: 'request'; method: string; uri: string; headers: readonly Header[]; body: Buffer }
export type SipResponse = { kind: 'response'; status: number; reason: string; headers: readonly Header[]; body: Buffer }
export type SipMessage = SipRequest | SipResponse
export type ReceivedRequest = SipRequest & Essentials
export type ReceivedResponse = SipResponse & Essentials
export type ReceivedMessage = ReceivedRequest | ReceivedResponse

export const headerOf = (message: { headers: readonly Header[] }, name: string): string | undefined =>
  message.headers.find(([each]) => each === name)?.[1]

/** Every value of a header that may repeat or hold a comma list, in order. */
export const valuesOf = (message: { headers: readonly Header[] }, name: string): string[] =>
  message.headers
    .flatMap(([each, value]) => (each === name ? splitOutside(value, ',') : []))
    .filter((each) => each !== '')

/** Whether a comma list of tokens (Supported, Require, Allow) names this one. */
export const lists = (message: { headers: readonly Header[] }, name: string, token: string): boolean =>
  valuesOf(message, name).some((each) => each.toLowerCase() === token.toLowerCase())
