import { describe, expect, it } from 'vitest'
import { json, startServer } from '../test/answering-server.ts'
import { ParleyClient } from './client.ts'
import type { ParleyOptions } from './http.ts'

const usual: ParleyOptions = { apiKey: 'pk_test', baseUrl: 'http://parley.test' }

describe('options', () => {
  it.each<Partial<ParleyOptions>>([
    { apiKey: '' },
    { apiKey: 'pk_with space' },
    { baseUrl: '' },
    { baseUrl: 'parley.example.com' },
    { baseUrl: 'file:///etc' },
    { baseUrl: 'https://user:word@parley.example.com' },
    { timeoutMs: 0 },
    { timeoutMs: Number.NaN },
    { timeoutMs: Number.POSITIVE_INFINITY },
    { maxRetries: -1 },
    { maxRetries: 1.5 },
    { maxRetries: Number.POSITIVE_INFINITY },
  ])('%j is refused', (options) => {
    expect(() => new ParleyClient({ ...usual, ...options })).toThrow(TypeError)
  })

  it('a refused key is not quoted', () => {
    expect(() => new ParleyClient({ ...usual, apiKey: 'pk_secret\nx' })).toThrow(/^(?!.*pk_secret)/s)
  })

  it.each(['', '/'])('a path in the base URL is kept, ending in "%s"', async (end) => {
    const { baseUrl, seen } = await startServer(json(200, { data: {} }))
    await new ParleyClient({ ...usual, baseUrl: `${baseUrl}/voice${end}` }).calls.get('call_1')
    expect(seen[0]?.url).toBe('/voice/v1/calls/call_1')
  })

  it('a fetch of your own is used', async () => {
    const asked: string[] = []
    const fetch: typeof globalThis.fetch = async (input) => {
      asked.push(String(input))
      return Response.json({ data: { call_id: 'call_1' } })
    }
    const call = await new ParleyClient({ ...usual, fetch }).calls.get('call_1')
    expect(call.call_id).toBe('call_1')
    expect(asked).toEqual(['http://parley.test/v1/calls/call_1'])
  })
})
