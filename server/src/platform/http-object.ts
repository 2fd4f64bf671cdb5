import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { parseRange } from './byte-range.ts'
import { ParleyError } from './errors.ts'

/** Something large with a known size; `read` takes both ends inclusive. */
export type SizedObject = {
  size: number
  contentType: string
  read(start: number, end: number): AsyncIterable<Uint8Array>
}

/** Whole or in part: players ask for ranges. */
export function sendObject(request: FastifyRequest, reply: FastifyReply, object: SizedObject): FastifyReply {
  const range = parseRange(request.headers.range, object.size)
  if (range === 'unsatisfiable') {
    throw new ParleyError('RANGE_NOT_SATISFIABLE', 'The range lies outside of the file.', {
      headers: { 'content-range': `bytes */${object.size}` },
    })
  }
  const { start, end } = range ?? { start: 0, end: object.size - 1 }
  reply
    .header('accept-ranges', 'bytes')
    .header('content-length', end - start + 1)
    .type(object.contentType)
  if (range) reply.status(206).header('content-range', `bytes ${start}-${end}/${object.size}`)
  return reply.send(Readable.from(object.read(start, end)))
}
