import { describe, expect, it } from 'vitest'
import { readServerSentEvents } from './server-sent-events.ts'

async function read(...chunks: (string | Uint8Array)[]) {
  async function* body() {
    for (const chunk of chunks) yield Buffer.from(chunk as string)
  }
  const events = []
  for await (const event of readServerSentEvents(body())) events.push(event)
  return events
}

describe('reading server-sent events', () => {
  it('puts together what arrives in pieces, cut anywhere', async () => {
    const bytes = Buffer.from('id: evt_1\nevent: call.failed\ndata: {"name":"Zoë 😀"}\n\n')
    const whole = [{ id: 'evt_1', event: 'call.failed', data: '{"name":"Zoë 😀"}' }]
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(await read(bytes.subarray(0, at), bytes.subarray(at))).toEqual(whole)
    }
  })

  it('keeps the line separators U+2028 and U+2029, which end no line here', async () => {
    expect(await read('data: {"a":"x\u2028y\u2029z"}\n\n')).toMatchObject([{ data: '{"a":"x\u2028y\u2029z"}' }])
  })

  it('tells an id that stands alone, and passes over comments and what is not finished', async () => {
    expect(await read(': listening\nid: 2026-11-15T09:30:00.000Z\n\n', ': still here\n\ndata: cut')).toEqual([
      { id: '2026-11-15T09:30:00.000Z', event: 'message', data: '' },
      { id: null, event: 'message', data: '' },
    ])
  })
})
