import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { ParleyError } from './errors.ts'

/** How a carrier that talks HTTP comes in (docs/decisions/0038). It alone knows its signatures and its messages. */
export type CarrierDoor = {
  /** A form sent to /carriers/<name>/…; the status to answer with. `query` begins with its question mark. */
  receive(post: { path: string; query: string; form: URLSearchParams; headers: IncomingHttpHeaders }): number
  /** A websocket to /carriers/<name>/…; it is the carrier's from here on, refusing it included. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
}
export type CarrierDoors = Partial<Record<string, CarrierDoor>>

const largestFormBytes = 64 * 1024

/** Nothing is opened, and nothing changes for anybody else, while no such carrier is set up. */
export async function carrierRoutes(app: FastifyInstance, doors: CarrierDoors): Promise<void> {
  if (Object.keys(doors).length === 0) return
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const name = /^\/carriers\/([a-z]+)\//.exec(request.url ?? '')?.[1] ?? ''
    const door = Object.hasOwn(doors, name) ? doors[name] : undefined
    if (door) door.upgrade(request, socket, head)
    else socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
  })
  await app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: largestFormBytes },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    )
    scope.post<{ Params: { name: string; '*': string } }>(
      '/carriers/:name/*',
      { schema: { hide: true } },
      async (request, reply) => {
        const door = Object.hasOwn(doors, request.params.name) ? doors[request.params.name] : undefined
        if (!door || !(request.body instanceof URLSearchParams))
          throw new ParleyError('NOT_FOUND', 'There is nothing here.')
        const [path = '', query] = request.url.split(/(?=\?)/)
        const status = door.receive({ path, query: query ?? '', form: request.body, headers: request.headers })
        if (status === 404) throw new ParleyError('NOT_FOUND', 'There is nothing here.')
        if (status === 401) throw new ParleyError('INVALID_SIGNATURE', 'This was not signed by the carrier.')
        return reply.status(status).send()
      },
    )
  })
}
