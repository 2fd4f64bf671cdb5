import { createCipheriv, createHmac, createSecretKey, type KeyObject } from 'node:crypto'

/** SRTP with keys from the signalling (RFC 3711, RFC 4568), key derivation rate zero, no MKI. */
export const cryptoSuites = { AES_CM_128_HMAC_SHA1_80: 10, AES_CM_128_HMAC_SHA1_32: 4 } as const
export type CryptoSuite = keyof typeof cryptoSuites

/** Sixteen bytes of key and fourteen of salt, as they stand behind `inline:` in base64. */
export const masterKeyLength = 30
const keyLength = 16
const saltLength = 14

/** AES in counter mode without a cipher object per packet: ECB over the counters is the key stream. */
export type KeyStream = { apply(data: Uint8Array, iv: Uint8Array): void }

export function createKeyStream(key: Uint8Array): KeyStream {
  const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false)
  let counters = Buffer.alloc(16 * 16)
  return {
    apply(data, iv) {
      const blocks = Math.ceil(data.length / 16)
      if (counters.length < blocks * 16) counters = Buffer.alloc(blocks * 16)
      for (let block = 0; block < blocks; block += 1) {
        counters.set(iv, block * 16)
        counters.writeUInt16BE(block, block * 16 + 14)
      }
      const stream = cipher.update(counters.subarray(0, blocks * 16))
      for (let i = 0; i < data.length; i += 1) data[i] = (data[i] as number) ^ (stream[i] as number)
    },
  }
}

/** RFC 3711 §4.3: labels 0 to 2 are for RTP, 3 to 5 for RTCP. */
export function deriveKey(master: Uint8Array, label: number, length: number): Buffer {
  const iv = Buffer.alloc(16)
  iv.set(master.subarray(keyLength, masterKeyLength))
  iv[7] = (iv[7] as number) ^ label
  const derived = Buffer.alloc(length)
  createKeyStream(master.subarray(0, keyLength)).apply(derived, iv)
  return derived
}

export type SessionKeys = { stream: KeyStream; salt: Buffer; authentication: KeyObject }

export function sessionKeys(master: Uint8Array, kind: 'rtp' | 'rtcp'): SessionKeys {
  const label = kind === 'rtp' ? 0 : 3
  return {
    stream: createKeyStream(deriveKey(master, label, keyLength)),
    authentication: createSecretKey(deriveKey(master, label + 1, 20)),
    salt: deriveKey(master, label + 2, saltLength),
  }
}

/** RFC 3711 §4.1.1: salt, SSRC and packet index in their places; the last two bytes count blocks. */
export function packetIv(salt: Uint8Array, ssrc: number, index: number, iv: Buffer): Buffer {
  iv.fill(0)
  iv.set(salt)
  iv.writeUInt32BE((iv.readUInt32BE(4) ^ ssrc) >>> 0, 4)
  iv.writeUInt32BE((iv.readUInt32BE(8) ^ Math.floor(index / 0x1_0000)) >>> 0, 8)
  iv.writeUInt16BE(iv.readUInt16BE(12) ^ (index & 0xffff), 12)
  return iv
}

export const authenticate = (key: KeyObject, ...parts: Uint8Array[]): Buffer => {
  const hmac = createHmac('sha1', key)
  for (const part of parts) hmac.update(part)
  return hmac.digest()
}
