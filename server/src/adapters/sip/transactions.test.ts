import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ReceivedRequest, SipMessage } from './message.ts'
import { parseMessage } from './parse.ts'
import type { Source } from './peer.ts'
import { rfcTiming } from './timing.ts'
import { createTransactions } from './transactions.ts'
import type { Transport } from './transport.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const source: Source = { transport: 'udp', address: '192.0.2.9', port: 5_060, connection: null }
const request = (method: string, branch: string) =>
  parseMessage(
    Buffer.from(
      [
        `${method} sip:x@y.test SIP/2.0`,
        `Via: SIP/2.0/UDP y.test;branch=z9hG4bK${branch}`,
        'From: <sip:a@y.test>;tag=a',
        'To: <sip:x@y.test>',
        `Call-ID: ${branch}`,
        `CSeq: 1 ${method}`,
        '',
        '',
      ].join('\r\n'),
    ),
  ) as ReceivedRequest

it('a CANCEL that belongs to nothing is answered with 481, and nothing of it is kept', () => {
  const said: SipMessage[] = []
  const transport = { reply: async (message: SipMessage) => void said.push(message) } as unknown as Transport
  const onCancel = vi.fn()
  const transactions = createTransactions(
    { timing: rfcTiming, transport: () => transport },
    { refuse: () => null, onRequest: () => {}, onAck: () => {}, onCancel },
  )
  for (let each = 0; each < 100; each += 1) transactions.receive(request('CANCEL', `s${each}`), source)
  expect(said).toHaveLength(100)
  expect(said.every((each) => each.kind === 'response' && each.status === 481)).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
  transactions.receive(request('INVITE', 'ours'), source)
  transactions.receive(request('CANCEL', 'ours'), source)
  expect(said.at(-1)).toMatchObject({ status: 200 })
  expect(onCancel).toHaveBeenCalledOnce()
  transactions.close()
})
