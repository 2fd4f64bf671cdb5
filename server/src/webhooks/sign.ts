import { createHmac } from 'node:crypto'

/**
 * The value of X-Webhook-Signature (§5.3). The key is the whole `whsec_…` string as is, and what is signed are the very
 * bytes that are sent.
 */
export const signatureOf = (secret: string, timestampSeconds: number, body: string | Buffer): string =>
  `v1=${createHmac('sha256', secret).update(`${timestampSeconds}.`).update(body).digest('base64')}`
