import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const lookEveryMs = 50

/**
 * Nobody keeps the server from stopping. Node waits for every connection that is not idle at that moment: for one that
 * has said nothing yet, which browsers open in advance; for one that never finishes its request, since the clock for slow
 * clients stops with the server; and for one that has had its answer and may be used again. The first end at once, the
 * last when they are seen, and everybody after `graceMs`.
 */
export function closeInTime(app: FastifyInstance, graceMs: number): void {
  const { server } = app
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.addHook('preClose', (done) => {
    if (!server.listening) return done()
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    const looking = setInterval(() => server.closeIdleConnections(), lookEveryMs)
    const grace = setTimeout(() => server.closeAllConnections(), graceMs)
    server.once('close', () => {
      clearInterval(looking)
      clearTimeout(grace)
    })
    looking.unref()
    grace.unref()
    done()
  })
}
