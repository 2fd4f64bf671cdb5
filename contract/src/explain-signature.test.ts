import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import vectors from '../vectors/webhook-signatures.json'
import { explainSignature, type SignedRequest } from './explain-signature.ts'
import { signatureMistakes } from './signature-mistakes.ts'

type Vector = (typeof vectors)['valid'][number] & { event_id?: string }
const requestOf = ({ secret, timestamp, signature, now, body, body_base64, event_id }: Vector): SignedRequest => ({
  secret,
  timestamp,
  signature,
  nowSeconds: now,
  eventId: event_id,
  body: body ?? Buffer.from(body_base64 ?? '', 'base64'),
})
const [sound] = vectors.valid.map(requestOf)
if (!sound) throw new Error('There are no vectors.')

describe('a signature that is right', () => {
  it.each(vectors.valid)('is good: $name', async (vector) => {
    expect(await explainSignature(requestOf(vector))).toEqual({ isGood: true, mistakes: [] })
  })

  it.each(vectors.valid)('is good for the bytes as for the text: $name', async (vector) => {
    const request = requestOf(vector)
    expect(await explainSignature({ ...request, body: Buffer.from(request.body) })).toMatchObject({ isGood: true })
  })

  it('is good at any age when no clock is given', async () => {
    expect(await explainSignature({ ...sound, nowSeconds: undefined })).toMatchObject({ isGood: true })
  })
})

describe('a signature that is wrong', () => {
  it.each(vectors.refused)('is explained: $name', async (vector) => {
    expect(await explainSignature(requestOf(vector))).toEqual({ isGood: false, mistakes: vector.mistakes })
  })

  it('is explained without X-Webhook-Id, by the id in the body', async () => {
    const signed = vectors.refused.filter((vector) => vector.mistakes.includes('id_in_signed_string'))
    expect(signed).toHaveLength(2)
    for (const vector of signed) {
      const { mistakes } = await explainSignature({ ...requestOf(vector), eventId: undefined })
      expect(mistakes).toEqual(vector.mistakes)
    }
  })

  it('is explained when two mistakes come together', async () => {
    const key = sound.secret.replace('whsec_', '')
    const signature = `v1=${createHmac('sha256', key).update(sound.body).digest('base64url')}`
    const { mistakes } = await explainSignature({ ...sound, signature })
    expect(mistakes).toEqual(expect.arrayContaining(['prefix_stripped', 'timestamp_not_signed', 'padding_missing']))
  })

  it.each(['', 'whsec_', 'whsec_***', '🙂'])(
    'is explained or not, but never thrown about: the secret %j',
    async (secret) => {
      expect(await explainSignature({ ...sound, secret })).toEqual({ isGood: false, mistakes: [] })
    },
  )
})

it('every mistake has its words and a vector that shows it', () => {
  const shown = new Set(vectors.refused.flatMap((vector) => vector.mistakes))
  expect([...shown].toSorted()).toEqual(Object.keys(signatureMistakes).toSorted())
  for (const words of Object.values(signatureMistakes)) expect(words).toMatch(/^[A-Z].+\.$/)
})
