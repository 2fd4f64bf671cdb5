import { createHmac } from 'node:crypto'
import { signatureMistakes, unknownMistake } from '@parley/contract/signature-mistakes'
import { describe, expect, it } from 'vitest'
import { ageWords, checkSignature } from './signature-check.ts'

const secret = 'whsec_0123456789abcdefghijklmnopqrstuvwxyz'
const body = '{"event_id":"evt_1","event_type":"call.failed"}'
const at = 1_763_197_200
const digest = (key = secret, text = `${at}.${body}`) => createHmac('sha256', key).update(text).digest('base64')
const pasted = (signature: string, more: object = {}) => ({
  secret,
  body,
  headers: `X-Webhook-Timestamp: ${at}\nX-Webhook-Signature: ${signature}`,
  ...more,
})
const reasons = async (signature: string, more: object = {}) =>
  (await checkSignature(pasted(signature, more), at * 1_000)).reasons

describe('the signature checker', () => {
  it('finds nothing wrong with what is right, and judges no age', async () => {
    expect(await checkSignature(pasted(`v1=${digest()}`), at * 1_000)).toEqual({ isGood: true, reasons: [], age: null })
    const later = await checkSignature(pasted(`v1=${digest()}`), (at + 86_400) * 1_000)
    expect(later).toMatchObject({ isGood: true, age: expect.stringContaining('24 hours ago') })
  })

  it('names the mistake', async () => {
    expect(await reasons(`v1=${digest(secret.slice(6))}`)).toEqual([signatureMistakes.prefix_stripped])
    expect(await reasons(digest())).toEqual([signatureMistakes.version_missing])
    expect(await reasons(`v1=${digest(secret, body)}`)).toEqual([signatureMistakes.timestamp_not_signed])
    expect(await reasons('')).toEqual([signatureMistakes.signature_missing])
  })

  it('says so when nothing explains it, and when there is no secret', async () => {
    expect(await reasons(`v1=${digest('whsec_another')}`)).toEqual([unknownMistake])
    expect(await reasons(`v1=${digest()}`, { secret: '' })).toEqual([expect.stringContaining('Paste the secret')])
  })
})

it('a clock that is wrong is told', () => {
  expect(ageWords(String(at), (at - 3_600) * 1_000)).toContain('60 minutes in the future')
  expect(ageWords('soon', 0)).toBeNull()
})
