import type { Call } from '@parley/contract/calls'
import { describe, expect, it } from 'vitest'
import { createTestApp, testClock } from '../app.ts'

const clock = testClock()
const t = await createTestApp({ workers: {}, clock })
const org = await t.organisation()
const { call_id } = (
  await t.send(org.key, 'POST', '/v1/calls', { agent_id: org.agentId, user_number: '+15005551234' })
).json().data
const call = await t.untilCall(org.key, call_id, (each: Call) => each.status === 'completed')
const url = String(call.call_recording).replace('http://127.0.0.1:3000', '')
const get = (path: string, headers = {}) => t.app.inject({ url: path, headers })

describe('/media', () => {
  it('is a stereo WAV with sound in both channels, as long as the call', async () => {
    const response = await get(url)
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('audio/wav')
    const wav = response.rawPayload
    expect(wav.toString('latin1', 0, 4)).toBe('RIFF')
    expect(wav.readUInt16LE(22)).toBe(2)
    expect(wav.readUInt32LE(24)).toBe(8_000)
    const samples = new Int16Array(wav.buffer.slice(wav.byteOffset + 44, wav.byteOffset + wav.length))
    const loudest = [0, 1].map((side) =>
      samples.reduce((most, each, i) => (i % 2 === side ? Math.max(most, Math.abs(each)) : most), 0),
    )
    expect(Math.min(...loudest)).toBeGreaterThan(500)
    expect(samples.length / 2 / 8_000).toBeGreaterThanOrEqual(call.call_duration_seconds ?? 0)
  })

  it('answers ranges: first bytes, last bytes, from the middle, and 416 beyond', async () => {
    const whole = (await get(url)).rawPayload
    for (const [range, from, to] of [
      ['bytes=0-3', 0, 3],
      ['bytes=-10', whole.length - 10, whole.length - 1],
      ['bytes=100-', 100, whole.length - 1],
      [`bytes=5-${whole.length + 999}`, 5, whole.length - 1],
    ] as const) {
      const part = await get(url, { range })
      expect(part.statusCode).toBe(206)
      expect(part.headers['content-range']).toBe(`bytes ${from}-${to}/${whole.length}`)
      expect(part.rawPayload.equals(whole.subarray(from, to + 1))).toBe(true)
    }
    const beyond = await get(url, { range: `bytes=${whole.length}-` })
    expect(beyond.statusCode).toBe(416)
    expect(beyond.headers['content-range']).toBe(`bytes */${whole.length}`)
    for (const range of ['bytes=5-2', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=-']) {
      expect((await get(url, { range })).statusCode).toBe(200)
    }
  })

  it('403 for every changed character of the link', async () => {
    const begin = url.indexOf('?')
    for (let i = begin + 1; i < url.length; i += 1) {
      const changed = url.slice(0, i) + (url[i] === 'A' ? 'B' : 'A') + url.slice(i + 1)
      expect((await get(changed)).statusCode, changed).toBe(403)
    }
    expect((await get(url.replace('recordings', 'transcripts'))).statusCode).toBe(403)
    expect((await get(url.replace(/call_\w{4}/, 'call_0000'))).statusCode).toBe(403)
    expect((await get(url.split('?')[0] ?? '')).statusCode).toBe(403)
  })

  it('a store that is full costs another rendering, not the recording', async () => {
    t.storage.put = async () => {
      throw new Error('ENOSPC')
    }
    const { call_id: other } = (
      await t.send(org.key, 'POST', '/v1/calls', { agent_id: org.agentId, user_number: '+15005551234' })
    ).json().data
    const second = await t.untilCall(org.key, other, (each: Call) => each.status === 'completed')
    const path = String(second.call_recording).replace('http://127.0.0.1:3000', '')
    expect((await get(path)).statusCode).toBe(200)
    expect((await get(path)).statusCode).toBe(200)
  })

  it('is good for five minutes to the second', async () => {
    const fresh = (await t.send(org.key, 'GET', `/v1/calls/${call_id}`)).json().data.call_recording as string
    const path = fresh.replace('http://127.0.0.1:3000', '')
    const made = Math.floor(clock.now().getTime() / 1_000) * 1_000
    clock.set(new Date(made + 300_000).toISOString())
    expect((await get(path)).statusCode).toBe(200)
    clock.set(new Date(made + 300_001).toISOString())
    expect((await get(path)).statusCode).toBe(403)
  })
})
