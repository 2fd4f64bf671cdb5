import type { FastifyInstance, HTTPMethods } from 'fastify'
import { ParleyError } from './errors.ts'

const everyday: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const ours = /^\/(v1|api|public|media|carriers)\/|^\/(healthz|readyz|metrics|openapi\.json)$/

/** A known address with the wrong method answers 405 and says which would do. Call before the routes; it acts after. */
export function answerWrongMethods(app: FastifyInstance): () => void {
  const known = new Map<string, Set<string>>()
  app.addHook('onRoute', (route) => {
    if (!ours.test(route.url)) return
    const methods = known.get(route.url) ?? new Set()
    for (const method of [route.method].flat()) methods.add(method)
    known.set(route.url, methods)
  })
  return () => {
    for (const [url, methods] of [...known]) {
      const allow = [...methods].sort().join(', ')
      const refuse = async () => {
        throw new ParleyError('METHOD_NOT_ALLOWED', `Use ${allow} here.`, { headers: { allow } })
      }
      app.route({
        method: everyday.filter((method) => !methods.has(method)),
        url,
        schema: { hide: true },
        config: { open: true },
        onRequest: refuse,
        handler: refuse,
      })
    }
  }
}
