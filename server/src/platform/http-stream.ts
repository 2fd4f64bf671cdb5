import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

export const streamHeaders = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' }
const farewellMs = 1_000

/** From here on the answer is ours: errors can no longer be told in JSON. */
export function beginStream(reply: FastifyReply, firstLines: string): ServerResponse {
  reply.hijack()
  // No other request can follow on this connection: whoever stops need not wait for it.
  const headers = { ...(reply.getHeaders() as Record<string, string>), ...streamHeaders, connection: 'close' }
  reply.raw.writeHead(200, headers)
  reply.raw.write(firstLines)
  return reply.raw
}

/** A reader that has stopped reading would keep the connection, and with it the process, for ever. */
export function endStream(raw: ServerResponse): void {
  const timer = setTimeout(() => raw.destroy(), farewellMs)
  raw.end(() => clearTimeout(timer))
}
