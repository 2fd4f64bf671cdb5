import { createHash, randomBytes } from 'node:crypto'
import { parseParams, quote, splitOutside } from './grammar.ts'

export type Algorithm = 'MD5' | 'SHA-256'
export type Challenge = {
  realm: string
  nonce: string
  algorithm: Algorithm
  /** `null`: the old way, without a counter (RFC 2069). */
  qop: 'auth' | null
  opaque: string | null
  stale: boolean
}
export type Answering = { challenge: Challenge; method: string; uri: string; user: string; password: string }

/** Null for what we cannot answer: another scheme, another algorithm, integrity of the body alone. */
export function parseChallenge(value: string): Challenge | null {
  const params = digestParams(value)
  const nonce = params?.get('nonce')
  if (!params || nonce === undefined) return null
  const algorithm = (params.get('algorithm') ?? 'MD5').toUpperCase()
  if (algorithm !== 'MD5' && algorithm !== 'SHA-256') return null
  const offered =
    params
      .get('qop')
      ?.split(',')
      .map((each) => each.trim().toLowerCase()) ?? null
  if (offered && !offered.includes('auth')) return null
  return {
    realm: params.get('realm') ?? '',
    nonce,
    algorithm,
    qop: offered ? 'auth' : null,
    opaque: params.get('opaque') ?? null,
    stale: params.get('stale')?.toLowerCase() === 'true',
  }
}

export function digestParams(value: string): Map<string, string> | null {
  const match = /^digest\s+/i.exec(value)
  return match ? parseParams(splitOutside(value.slice(match[0].length), ',')) : null
}

/** RFC 7616 §3.4, RFC 8760. */
export function digestResponse(answering: Answering & { nc: string; cnonce: string }): string {
  const { challenge, method, uri, user, password, nc, cnonce } = answering
  const hash = (text: string) =>
    createHash(challenge.algorithm === 'MD5' ? 'md5' : 'sha256')
      .update(text)
      .digest('hex')
  const who = hash(`${user}:${challenge.realm}:${password}`)
  const what = hash(`${method}:${uri}`)
  if (challenge.qop === null) return hash(`${who}:${challenge.nonce}:${what}`)
  return hash(`${who}:${challenge.nonce}:${nc}:${cnonce}:auth:${what}`)
}

/** `count`: how often this nonce has been used, this time included. */
export function authorisation(
  answering: Answering,
  count: number,
  cnonce: string = randomBytes(12).toString('hex'),
): string {
  const { challenge, uri, user } = answering
  const nc = count.toString(16).padStart(8, '0')
  const parts = [
    `username=${quote(user)}`,
    `realm=${quote(challenge.realm)}`,
    `nonce=${quote(challenge.nonce)}`,
    `uri=${quote(uri)}`,
    `response="${digestResponse({ ...answering, nc, cnonce })}"`,
    `algorithm=${challenge.algorithm}`,
    ...(challenge.opaque === null ? [] : [`opaque=${quote(challenge.opaque)}`]),
    ...(challenge.qop === null ? [] : ['qop=auth', `nc=${nc}`, `cnonce="${cnonce}"`]),
  ]
  return `Digest ${parts.join(', ')}`
}
