import { expect, it } from 'vitest'
import { mediaOf } from './line-media.ts'
import type { AgreedMedia } from './negotiate.ts'

const agreed: AgreedMedia = {
  remote: { address: '192.0.2.1', port: 4_000, rtcpPort: 4_001 },
  codec: { name: 'PCMA', payload: 8 },
  keys: { send: 96, receive: 101 },
  srtp: null,
  sends: true,
  receives: true,
}

it('keys are sent as they call them and received as we called them', () => {
  expect(mediaOf(agreed).telephoneEvent).toEqual({ send: 96, receive: 101 })
  expect(mediaOf({ ...agreed, keys: { send: 13, receive: 13 } }).telephoneEvent).toBeNull()
  expect(mediaOf({ ...agreed, keys: null }).telephoneEvent).toBeNull()
})

it('a hold by 0.0.0.0 keeps the address from before', () => {
  const held = { ...agreed, remote: { address: '0.0.0.0', port: 4_000, rtcpPort: 4_001 }, sends: false }
  expect(mediaOf(held)).not.toHaveProperty('remote')
  expect(mediaOf(held).direction).toBe('recvonly')
})

it.each([
  [4_001, 'next'],
  [4_000, 'mux'],
  [5_000, { address: '192.0.2.1', port: 5_000 }],
])('reports go to port %s', (rtcpPort, rtcp) => {
  expect(mediaOf({ ...agreed, remote: { ...agreed.remote, rtcpPort } }).rtcp).toEqual(rtcp)
})

it('our key protects what we send, theirs what we hear', () => {
  const [localKey, remoteKey] = [Buffer.alloc(30, 1), Buffer.alloc(30, 2)].map((key) => key.toString('base64'))
  const srtp = { suite: 'AES_CM_128_HMAC_SHA1_80', localKey: localKey ?? '', remoteKey: remoteKey ?? '' }
  const { crypto } = mediaOf({ ...agreed, srtp })
  expect([crypto?.send[0], crypto?.receive[0]]).toEqual([1, 2])
})
