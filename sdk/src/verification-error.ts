/** What is wrong with a webhook, in words for whoever reads the log of the receiver. */
const words = {
  body_not_raw: `The body is not raw: pass the bytes of the request, not what a JSON parser made of them.
Express: app.post('/hook', express.raw({ type: 'application/json' }), …), before any express.json(); then request.body.
Fastify: app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body)); then request.body.
Next.js: await request.text() in a route handler; in pages/api, export const config = { api: { bodyParser: false } } and read the stream.`,
  body_empty: 'The body is empty. Something read the request before: read the raw bytes once, and pass those.',
  secret_missing: "The secret is missing. It was shown once, when the endpoint was created, and begins with 'whsec_'.",
  secret_without_prefix: "The secret must begin with 'whsec_'. Use the whole string: do not strip or decode anything.",
  secret_not_clean: 'The secret has a space, a line end or quotes in it. Trim what was read from a file or setting.',
  header_missing:
    'X-Webhook-Signature or X-Webhook-Timestamp is missing. Signing may be off for this endpoint, something on the way may have dropped the header, or the request is not from Parley.',
  header_doubled: 'X-Webhook-Signature or X-Webhook-Timestamp came twice. Something on the way added its own.',
  timestamp_malformed: 'X-Webhook-Timestamp must be whole Unix seconds: digits and nothing else.',
  timestamp_in_milliseconds: 'X-Webhook-Timestamp is in milliseconds. It must be in seconds.',
  timestamp_too_old:
    'The signature is right but too old: somebody repeats a request, or the clock of this machine is ahead. A retry of Parley is signed anew.',
  timestamp_too_new: 'The signature is right but made in the future: the clock of this machine is behind.',
  signature_without_version: "X-Webhook-Signature must begin with 'v1='. Pass the whole header value.",
  signature_in_hex: 'X-Webhook-Signature is in hex. It must be in Base64.',
  signature_malformed: "X-Webhook-Signature must be 'v1=' and 44 letters of Base64.",
  body_reserialised:
    'The body was parsed and written anew on its way here. Verify the raw bytes of the request, before any JSON parser.',
  body_changed:
    'Space, line ends or a byte order mark around the body were changed on its way here. Verify the raw bytes.',
  signature_mismatch:
    "The signature does not fit. Most often the secret is another endpoint's, or the body was changed before it came here: verify the raw bytes of the request.",
  body_not_an_event: 'The signature is right, but the body is not an event.',
} as const
export type VerificationReason = keyof typeof words

/** Answer 400 and do nothing else: the request is not to be trusted. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly reason: VerificationReason

  constructor(reason: VerificationReason) {
    super(words[reason])
    this.reason = reason
  }
}
