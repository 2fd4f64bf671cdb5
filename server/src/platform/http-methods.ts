import type { FastifyInstance, HTTPMethods } from 'fastify'
import { ParleyError } from './errors.ts'

const everyday: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const ours = /^\/(v1|api|public|media|carriers|calendar)\/|^\/(healthz|readyz|metrics|openapi\.json|docs\/?)$/

export type WrongMethods = {
  /** Which methods an address knows, for the methods no route is made for (TRACE, PROPFIND, …); null: no such address. */
  refusalAt(path: string): ParleyError | null
  /** Call after the routes. */
  close(): void
}

/** A known address with the wrong method answers 405 and says which would do. Call before the routes. */
export function answerWrongMethods(app: FastifyInstance): WrongMethods {
  const known = new Map<string, Set<string>>()
  app.addHook('onRoute', (route) => {
    if (!ours.test(route.url)) return
    const methods = known.get(route.url) ?? new Set()
    for (const method of [route.method].flat()) methods.add(method)
    known.set(route.url, methods)
  })
  let addresses: { pattern: RegExp; allow: string }[] = []
  return {
    refusalAt: (path) => {
      const address = addresses.find(({ pattern }) => pattern.test(path))
      return address ? notAllowed(address.allow) : null
    },
    close: () => {
      const all = [...known].map(([url, methods]) => ({ url, methods, allow: [...methods].sort().join(', ') }))
      addresses = all
        .toSorted((a, b) => rank(a.url) - rank(b.url))
        .map(({ url, allow }) => ({ pattern: patternOf(url), allow }))
      for (const { url, methods, allow } of all) {
        const refuse = async () => {
          throw notAllowed(allow)
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
    },
  }
}

const notAllowed = (allow: string) =>
  new ParleyError('METHOD_NOT_ALLOWED', `Use ${allow} here.`, { headers: { allow } })

/** As the router reads it: a fixed part before a parameter, and both before the rest. */
const rank = (url: string): number =>
  url.split('/').filter((part) => /^:|\*/.test(part)).length + (url.endsWith('*') ? 100 : 0)

const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll(/:[a-z_]+/g, '[^/]+')
      .replace(/\*$/, '.*')}$`,
  )
