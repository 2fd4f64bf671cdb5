import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fault, ParleyError, validationError } from './errors.ts'
import './http-types.ts'
import { isOdd, oddFaults } from './odd-values.ts'

export const bodyLimitBytes = 256 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })
const noBytes = Buffer.alloc(0)

const malformed = (message: string): ParleyError => validationError([fault('body', 'malformed_json', message)])

/** JSON only, from the raw bytes, which are kept: signatures and idempotency are about what was really sent. */
export function parseBodies(app: FastifyInstance): void {
  app.decorateRequest('rawBody')
  app.decorateRequest('bodyFaults', null)
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
        done(null, readJson(request, raw as Buffer))
      } catch (error) {
        done(error as Error)
      }
    },
  )
}

/** For routes that judge the bytes before they are read as JSON: they call readJson themselves. */
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

/** The body's value. What a value in it may not be is kept for the check of all fields: it is told with the rest. */
export function readJson(request: FastifyRequest, raw: Buffer): unknown {
  const value = parseJson(raw, String(request.headers['content-type']))
  if (isOdd(value)) request.bodyFaults = oddFaults(value)
  return value
}

/** §5.1 sends the content type on every request, so an empty body is no body, not a malformed one. */
function parseJson(raw: Buffer, contentType: string): unknown {
  const charset = contentType === 'application/json' ? undefined : /charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1]
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw new ParleyError('UNSUPPORTED_MEDIA_TYPE', 'Send JSON in UTF-8.')
  }
  if (raw.length === 0) return undefined
  try {
    return JSON.parse(utf8.decode(raw))
  } catch {
    throw malformed('The body is not valid JSON in UTF-8.')
  }
}
