import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** rawBody: the bytes as they came. timestamp, signature: the two headers. secret: the whole whsec_… string. */
export function isFromParley(rawBody, timestamp, signature, secret, nowSeconds = Date.now() / 1000) {
  if (typeof timestamp !== 'string' || typeof signature !== 'string') return false
  if (!/^[0-9]{1,12}$/.test(timestamp)) return false
  if (Math.abs(nowSeconds - Number(timestamp)) > 300) return false
  const expected = `v1=${createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest('base64')}`
  const digest = (text) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(signature), digest(expected))
}

// As a program: `node verify.mjs CASES` says true or false for each line of a file; see README.md.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const line of readFileSync(process.argv[2], 'utf8').trim().split('\n')) {
    const [now, ...fields] = line.split('\t')
    const [body, ...texts] = fields.map((field) => Buffer.from(field, 'base64'))
    const [timestamp, signature, secret] = texts.map(String)
    console.log(isFromParley(body, timestamp, signature, secret, Number(now)))
  }
}
// End of the program.
