import type { FastifyInstance } from 'fastify'
import { fault, ParleyError, validationError } from './errors.ts'

export const bodyLimitBytes = 256 * 1024
const deepest = 32

const utf8 = new TextDecoder('utf-8', { fatal: true })
const noBytes = Buffer.alloc(0)

const malformed = (message: string): ParleyError => validationError([fault('body', 'malformed_json', message)])

/** JSON only, from the raw bytes, which are kept: signatures and idempotency are about what was really sent. */
export function parseBodies(app: FastifyInstance): void {
  app.decorateRequest('rawBody')
  // After the route's own guard: who is not let in is told nothing else.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    request.rawBody = noBytes
    const { 'content-encoding': encoding, 'content-length': length, 'transfer-encoding': transfer } = request.headers
    const hasBody = transfer !== undefined || (length !== undefined && length !== '0')
    if (hasBody && encoding !== undefined && encoding.toLowerCase() !== 'identity') {
      done(new ParleyError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without Content-Encoding.'))
      return
    }
    done(null, payload)
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: bodyLimitBytes },
    (request, raw, done) => {
      try {
        request.rawBody = raw as Buffer
        done(null, parseJson(raw as Buffer, String(request.headers['content-type'])))
      } catch (error) {
        done(error as Error)
      }
    },
  )
}

/** For routes that judge the bytes before they are read as JSON: they call parseJson themselves. */
export function keepBodiesRaw(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: bodyLimitBytes },
    (request, raw, done) => {
      request.rawBody = raw as Buffer
      done(null)
    },
  )
}

/** §5.1 sends the content type on every request, so an empty body is no body, not a malformed one. */
export function parseJson(raw: Buffer, contentType: string): unknown {
  const charset = contentType === 'application/json' ? undefined : /charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1]
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw new ParleyError('UNSUPPORTED_MEDIA_TYPE', 'Send JSON in UTF-8.')
  }
  if (raw.length === 0) return undefined
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(raw))
  } catch {
    throw malformed('The body is not valid JSON in UTF-8.')
  }
  refuseOddValues(value)
  return value
}

/**
 * What JSON allows and the database or JavaScript does not: NUL, half a surrogate pair, `__proto__`. Walks without
 * recursion, because 50,000 levels fit into a small body.
 */
function refuseOddValues(root: unknown): void {
  const waiting: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, depth } = next
    if (typeof value === 'string') refuseOddText(value)
    if (typeof value !== 'object' || value === null) continue
    if (depth >= deepest) throw malformed(`The body is nested more than ${deepest} levels deep.`)
    for (const key of Object.keys(value)) {
      if (key === '__proto__') throw malformed('The key __proto__ is not allowed.')
      refuseOddText(key)
      waiting.push({ value: (value as Record<string, unknown>)[key], depth: depth + 1 })
    }
  }
}

function refuseOddText(text: string): void {
  if (text.includes('\u0000')) throw malformed('Text must not contain the NUL character.')
  if (!isWellFormed(text)) throw malformed('Text must not contain half of a surrogate pair.')
}

// Node 20 has String.prototype.isWellFormed; TypeScript's library for ES2023 does not name it.
const isWellFormed = (text: string): boolean => (text as unknown as { isWellFormed(): boolean }).isWellFormed()
