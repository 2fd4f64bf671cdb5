import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import type { TestApp } from './app.ts'

export type Ask = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<LightMyRequestResponse>

/** Requests to any address of the dashboard's API, with the cookie of a session. */
export const askAs =
  ({ app }: TestApp, cookie: string): Ask =>
  (method, url, body, headers = {}) => {
    const request: InjectOptions = { method, url, headers: { cookie, ...headers } }
    if (body !== undefined) request.payload = body as object
    return app.inject(request)
  }
