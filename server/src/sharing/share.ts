import { createHmac, hkdfSync } from 'node:crypto'

/** The one link of a call, as it is stored. `isOn`: its organisation shares calls at present. */
export type Share = {
  callId: string
  organisationId: string
  salt: string
  expiresAt: Date | null
  revokedAt: Date | null
  isOn: boolean
}

/** What one token opens. */
export type ShareLinks = {
  token: string
  detailsUrl: string
  dataUrl: string
  recordingUrl: string
  transcriptUrl: string
  expiresAt: Date | null
}

export const isExpired = ({ expiresAt }: Share, now: Date): boolean => expiresAt !== null && now >= expiresAt

/** 256 bits, in letters and digits only: no program that finds links in text stops before the end of one. */
export function createTokenOf(secretKey: string): (callId: string, salt: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secretKey, 'parley', 'share-links', 32))
  return (callId, salt) => {
    const digest = createHmac('sha256', key).update(`${callId}.${salt}`).digest('hex')
    return BigInt(`0x${digest}`).toString(36).padStart(50, '0')
  }
}

export function linksOf(baseUrl: string, { callId, expiresAt }: Share, token: string): ShareLinks {
  const call = `${baseUrl}/public/call/${callId}`
  return {
    token,
    detailsUrl: `${call}/details?share_token=${token}`,
    dataUrl: `${call}?token=${token}`,
    recordingUrl: `${call}/recording?token=${token}`,
    transcriptUrl: `${call}/transcript?token=${token}`,
    expiresAt,
  }
}
