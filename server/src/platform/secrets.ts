import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Random base62 text holding at least `bytes` bytes of randomness. */
export function randomToken(bytes = 32): string {
  const length = Math.ceil((bytes * 8) / Math.log2(62))
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 = 4 × 62: bytes above it would favour the first letters.
      if (byte < 248 && text.length < length) text += base62[byte % 62]
    }
  }
  return text
}

export const sha256 = (text: string | Buffer): Buffer => hash('sha256', text, 'buffer')
export const sha256Hex = (text: string | Buffer): string => hash('sha256', text, 'hex')

/** As PostgreSQL reads a bytea: for hot paths, where making a Buffer costs more than the digest. */
export const sha256Bytea = (text: string | Buffer): string => `\\x${hash('sha256', text, 'hex')}`

/** Compares digests, so neither length nor content shows in the time it takes. */
export const equalSecrets = (a: string, b: string): boolean => timingSafeEqual(sha256(a), sha256(b))

/** Secrets at rest: AES-256-GCM under a key derived from PARLEY_SECRET_KEY. Layout: nonce 12 · tag 16 · text. */
export type Vault = { seal(text: string): Buffer; open(sealed: Buffer): string }

export function createVault(secretKey: string): Vault {
  const key = Buffer.from(hkdfSync('sha256', secretKey, 'parley', 'secrets-at-rest', 32))
  // The same few are opened for every webhook that is sent.
  const opened = new Map<string, string>()
  return {
    seal(text) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body])
    },
    open(sealed) {
      const name = sealed.toString('latin1')
      const known = opened.get(name)
      if (known !== undefined) return known
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
      decipher.setAuthTag(sealed.subarray(12, 28))
      const text = Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
      if (opened.size >= 1_000) opened.clear()
      opened.set(name, text)
      return text
    },
  }
}
