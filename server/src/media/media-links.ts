import { createHmac, hkdfSync } from 'node:crypto'
import { equalSecrets } from '../platform/secrets.ts'

export const mediaKinds = ['recordings', 'transcripts'] as const
export type MediaKind = (typeof mediaKinds)[number]

export const linkMinutes = 5

/** Links that carry their own permission: for one object, for five minutes to the second (decisions 8). */
export type MediaLinks = {
  make(kind: MediaKind, callId: string, now: Date): string
  isGood(kind: string, callId: string, query: { expires?: unknown; signature?: unknown }, now: Date): boolean
}

export function createMediaLinks(secretKey: string, baseUrl: string): MediaLinks {
  const key = Buffer.from(hkdfSync('sha256', secretKey, 'parley', 'media-links', 32))
  const sign = (kind: string, callId: string, expires: string) =>
    createHmac('sha256', key).update(`${kind}/${callId}.${expires}`).digest('base64url')
  return {
    make(kind, callId, now) {
      const expires = String(Math.floor(now.getTime() / 1_000) + linkMinutes * 60)
      return `${baseUrl}/media/${kind}/${callId}?expires=${expires}&signature=${sign(kind, callId, expires)}`
    },
    isGood(kind, callId, { expires, signature }, now) {
      if (typeof expires !== 'string' || typeof signature !== 'string' || !/^\d{1,12}$/.test(expires)) return false
      // The text is compared, not the bytes: Base64 has several spellings for some of them.
      return equalSecrets(signature, sign(kind, callId, expires)) && now.getTime() / 1_000 <= Number(expires)
    },
  }
}
