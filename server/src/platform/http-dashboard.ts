import { existsSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { ParleyError } from './errors.ts'
import type { Log } from './log.ts'

const pagePolicy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

const notPages = /^\/(v1|api|public|media|docs|assets)(\/|$)/

/** The dashboard's built files. Its own router takes over in the browser, so its addresses all answer the one page. */
export async function dashboardRoutes(app: FastifyInstance, folder: string, log: Log): Promise<void> {
  if (!existsSync(path.join(folder, 'index.html'))) {
    log.warn('the dashboard has not been built; run npm run build')
    return
  }
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, file) => {
      // Assets are named by their content.
      const immutable = file.includes(`${path.sep}assets${path.sep}`)
      reply.header('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  app.get('/*', { schema: { hide: true } }, (request, reply) => {
    const wantsPage = request.headers.accept?.includes('text/html') ?? false
    if (!wantsPage || notPages.test(request.url))
      throw new ParleyError('NOT_FOUND', 'There is nothing at this address.')
    return reply
      .header('content-security-policy', pagePolicy)
      .header('referrer-policy', 'no-referrer')
      .sendFile('index.html')
  })
}
