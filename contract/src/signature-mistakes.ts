/** What goes wrong with X-Webhook-Signature (§5.3), in words for whoever has to mend it. */
export const signatureMistakes = {
  signature_missing: 'X-Webhook-Signature is missing. It is sent only while signing is on for the endpoint.',
  timestamp_missing: 'X-Webhook-Timestamp is missing. It is sent only while signing is on for the endpoint.',
  header_doubled: 'A header came twice, so two values were joined by a comma. Something on the way added its own.',
  timestamp_malformed: 'X-Webhook-Timestamp must be whole Unix seconds: digits and nothing else.',
  timestamp_in_milliseconds:
    'The timestamp was taken in milliseconds. It is in seconds, in the header and when signed.',
  timestamp_too_old: 'The signature is right, but its timestamp is too old: a repeat, or a clock that runs ahead.',
  timestamp_too_new: 'The signature is right, but its timestamp lies in the future: a clock that runs behind.',
  prefix_stripped: 'The secret was used without its prefix. The key is the whole string, `whsec_` included.',
  key_base64_decoded: 'The secret was Base64-decoded. The key is its text as it stands, `whsec_` included.',
  secret_not_clean:
    'The secret has a space, a line end or quotes around it. Trim what was read from a file or setting.',
  timestamp_not_signed: 'Only the body was signed. Sign the timestamp, a dot, and the body.',
  separator_missing: 'There is no dot between timestamp and body in what was signed.',
  id_in_signed_string: 'X-Webhook-Id was signed too. Sign the timestamp, a dot, and the body; not the id.',
  body_reserialised: 'The body was parsed and written anew. Sign the raw bytes of the request, before any JSON parser.',
  byte_order_mark: 'A byte order mark was put before the body, or taken away. Sign the raw bytes of the request.',
  whitespace_changed: 'Space or line ends around the body were changed. Sign the raw bytes of the request.',
  version_missing: 'The signature has no `v1=` before it. The whole header value is compared.',
  version_comma: 'The signature begins with `v1,` instead of `v1=`. That is how Standard Webhooks write it.',
  hex_digest: 'The digest is in hex. It must be in Base64.',
  base64url: 'The digest is in Base64url. It must be in ordinary Base64, with `+` and `/`.',
  padding_missing: 'The `=` at the end of the Base64 is missing.',
  case_changed: 'Upper and lower case were changed. In Base64 they mean different things.',
  whitespace_around: 'There is a space or a line end around the signature. The whole header value is compared.',
} as const
export type SignatureMistake = keyof typeof signatureMistakes

/** When none of the mistakes explains it. */
export const unknownMistake =
  "The signature belongs to another secret or another body: take this endpoint's secret, and the bytes just as they came."
