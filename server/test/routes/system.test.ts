import { existsSync } from 'node:fs'
import { eventExamples } from '@parley/contract/event-examples'
import { eventTypeNames } from '@parley/contract/events'
import { describe, expect, it } from 'vitest'
import { createTestApp } from '../app.ts'

const t = await createTestApp({ withDocsPage: true })
const get = (url: string, headers = {}) => t.app.inject({ url, headers })

describe('for whoever runs it', () => {
  it('/healthz answers 200 while the process lives', async () => {
    expect((await get('/healthz')).statusCode).toBe(200)
  })

  it('/readyz answers 200 only when the database answers and migrations are in', async () => {
    const own = await createTestApp()
    const ready = () => own.app.inject({ url: '/readyz' })
    expect((await ready()).statusCode).toBe(200)
    await own.db.query('delete from schema_migrations where version = 2')
    const behind = await ready()
    expect(behind.statusCode).toBe(503)
    expect(behind.json().error.code).toBe('UNAVAILABLE')
    expect(behind.headers['retry-after']).toBe('2')
    await own.db.query('drop table schema_migrations')
    expect((await ready()).statusCode).toBe(503)
  })

  it('/metrics is Prometheus text and counts requests by route, never by URL', async () => {
    await get('/v1/calls/call_secretlookingid')
    const response = await get('/metrics')
    expect(response.headers['content-type']).toContain('text/plain')
    expect(response.body).toContain(
      'parley_http_request_seconds_count{method="GET",route="/v1/calls/:call_id",status="401"} 1',
    )
    expect(response.body).toContain('process_cpu_seconds_total')
    expect(response.body).not.toContain('secretlookingid')
  })
})

describe('/openapi.json', async () => {
  const document = (await get('/openapi.json')).json()

  it('is OpenAPI 3.1 with every public route, its scope key and its refusals', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(document.servers).toEqual([{ url: 'http://127.0.0.1:3000' }])
    expect(Object.keys(document.paths)).toEqual([
      '/v1/calls',
      '/v1/calls/{call_id}',
      '/v1/calls/{call_id}/cancel',
      '/v1/appointment-slots',
      '/v1/appointment-slots/{slot_id}',
      '/v1/appointment-slots/{slot_id}/disable',
      '/v1/appointment-slots/availability',
      '/v1/appointment-slots/schedule-tracking',
      '/v1/appointment-slots/schedule-tracking/{slot_id}',
      '/v1/appointment-slots/schedule-tracking/regenerate',
      '/v1/appointments/configuration',
      '/v1/appointments/services',
      '/v1/appointments/branches',
      '/v1/appointments/availability',
      '/v1/appointments',
      '/v1/appointments/{appointment_id}',
      '/v1/hooks/{secret_token}',
      '/public/call/{call_id}',
      '/v1/events/stream',
    ])
    expect(Object.keys(document.paths['/v1/calls'].post.responses)).toEqual([
      '201',
      '400',
      '401',
      '403',
      '404',
      '413',
      '415',
      '422',
      '429',
      '503',
    ])
    expect(document.security).toEqual([{ apiKey: [] }])
  })

  it('lists what any address may answer, 405 among it', () => {
    const { responses } = document.components
    expect(Object.keys(responses)).toEqual(['404', '405', '408', '431', '500'])
    expect(responses[405].content['application/json'].schema.required).toEqual(['success', 'error'])
    expect(document.info.description).toContain('405')
  })

  it('says that the stream of events is one, and how to go on with it', () => {
    const { responses, parameters } = document.paths['/v1/events/stream'].get
    expect(Object.keys(responses[200].content)).toEqual(['text/event-stream'])
    expect(Object.keys(responses)).toEqual(['200', '400', '401', '403', '415', '429', '503'])
    expect(parameters).toMatchObject([{ in: 'header', name: 'last-event-id', required: false }])
  })

  it('is made from the schemas that validate', () => {
    const body = document.paths['/v1/calls'].post.requestBody.content['application/json'].schema
    expect(body.required).toEqual(['agent_id'])
    expect(body.additionalProperties).toBe(false)
    expect(body.properties.additional_info.maxProperties).toBe(25)
  })

  it('has the nine events under webhooks, each with its schema and an example', () => {
    expect(Object.keys(document.webhooks)).toEqual(eventTypeNames)
    expect(eventTypeNames).toHaveLength(9)
    for (const type of eventTypeNames) {
      const { schema, example } = document.webhooks[type].post.requestBody.content['application/json']
      expect(example).toEqual(eventExamples[type])
      expect(schema.required).toEqual(['event_id', 'event_type', 'created_at', 'data'])
      expect(schema.properties.event_type.const).toBe(type)
    }
  })
})

describe('/docs', () => {
  it.each(['/docs', '/docs/'])('%s is served from our own files and may load nothing from elsewhere', async (url) => {
    const page = await get(url)
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'self'; .*connect-src 'self'/)
    expect(page.body).not.toMatch(/(src|href)="(https?:)?\/\//)
    const address = /<script src="([^"]+)"/.exec(page.body)?.[1] ?? ''
    const script = await get(new URL(address, `http://127.0.0.1:3000${url}`).pathname)
    expect(script.statusCode).toBe(200)
    expect(script.headers['content-type']).toContain('javascript')
  })
})

describe('the dashboard', () => {
  it('is built and served at / with a strict content security policy', async () => {
    expect(existsSync('dashboard/dist/index.html')).toBe(true)
    const page = await get('/', { accept: 'text/html' })
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-security-policy']).toContain("script-src 'self'")
    expect(page.body).toContain('<title>')
    const script = /src="(\/assets\/index[^"]+)"/.exec(page.body)?.[1] ?? ''
    const asset = await get(script, { 'accept-encoding': 'br' })
    expect(asset.statusCode).toBe(200)
    expect(asset.headers['content-encoding']).toBe('br')
    expect(asset.headers['cache-control']).toContain('immutable')
  })

  it('answers its page for its own addresses, and 404 in JSON for anything else', async () => {
    expect((await get('/sign-in', { accept: 'text/html' })).body).toContain('<title>')
    for (const url of ['/v1/nothing', '/api/nothing', '/assets/nothing.js']) {
      const response = await get(url, { accept: 'text/html' })
      expect(response.statusCode).toBe(404)
      expect(response.json().error.code).toBe('NOT_FOUND')
    }
    expect((await get('/nothing')).statusCode).toBe(404)
  })
})

describe('every answer', () => {
  it.each([
    ['GET', '/nothing', 404, 'NOT_FOUND'],
    ['PUT', '/v1/calls', 405, 'METHOD_NOT_ALLOWED'],
    ['DELETE', '/healthz', 405, 'METHOD_NOT_ALLOWED'],
    ['OPTIONS', '/v1/calls', 405, 'METHOD_NOT_ALLOWED'],
    ['PATCH', '/api/session', 405, 'METHOD_NOT_ALLOWED'],
    ['PROPFIND', '/v1/calls', 405, 'METHOD_NOT_ALLOWED'],
    ['TRACE', '/v1/calls/call_1/cancel', 405, 'METHOD_NOT_ALLOWED'],
    ['PROPFIND', '/v1/nothing', 404, 'NOT_FOUND'],
    ['POST', '/docs', 405, 'METHOD_NOT_ALLOWED'],
    ['POST', '/docs/', 405, 'METHOD_NOT_ALLOWED'],
    ['POST', '/calendar/token.ics', 405, 'METHOD_NOT_ALLOWED'],
    ['GET', '/v1/calls', 401, 'UNAUTHENTICATED'],
    ['GET', '/v1/calls/%zz', 400, 'VALIDATION_ERROR'],
  ] as const)('%s %s: %i %s in the one error body, with its request id', async (method, url, status, code) => {
    const response = await t.app.inject({ method: method as 'GET', url })
    expect(response.statusCode).toBe(status)
    expect(response.headers['x-request-id']).toMatch(/^req_[0-9a-f]{32}$/)
    expect(response.json()).toEqual({
      success: false,
      error: { code, message: expect.any(String), details: [], request_id: response.headers['x-request-id'] },
    })
    if (status === 405) expect(response.headers.allow).toBeTruthy()
  })

  it.each([
    ['application/json', '{"a":', 400, 'VALIDATION_ERROR'],
    ['text/plain', 'hello', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['application/json; charset=utf-16', '{}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['application/json', `{"user_name":"${'x'.repeat(262_144)}"}`, 413, 'PAYLOAD_TOO_LARGE'],
  ])('a %s body %#: %i %s', async (type, payload, status, code) => {
    const org = await t.organisation()
    const response = await t.send(org.key, 'POST', '/v1/calls', payload, { 'content-type': type })
    expect(response.statusCode).toBe(status)
    expect(response.json().error).toMatchObject({ code, request_id: response.headers['x-request-id'] })
  })

  it('405 names the methods of that very address', async () => {
    const allowed = async (url: string) =>
      (await t.app.inject({ method: 'PROPFIND' as 'GET', url: `${url}?x=1` })).headers.allow
    expect(await allowed('/v1/calls')).toBe('GET, HEAD, POST')
    expect(await allowed('/v1/appointments/configuration')).toBe('GET, HEAD')
    expect(await allowed('/v1/appointments/0')).toBe('GET, HEAD, PATCH')
    expect(await allowed('/v1/hooks/token')).toBe('POST')
    expect(await allowed('/calendar/token.ics')).toBe('GET, HEAD')
  })

  it('a request id of the client is not taken over', async () => {
    expect((await get('/healthz', { 'x-request-id': 'req_mine' })).headers['x-request-id']).not.toBe('req_mine')
  })
})

describe('every answer of the API says what is left of the limit', async () => {
  const org = await t.organisation()
  const token = org.organisation.inbound.token
  const json = { 'content-type': 'application/json' }
  const large = `"${'x'.repeat(262_144)}"`

  it.each<[string, string, number, object?, string?]>([
    ['PUT', '/v1/calls', 405],
    ['OPTIONS', '/v1/calls', 405],
    ['TRACE', '/v1/calls', 405],
    ['GET', '/v1/hooks/x', 405],
    ['HEAD', '/v1/hooks/x', 405],
    ['HEAD', '/v1/calls', 401],
    ['GET', '/v1/nothing', 404],
    ['POST', '/v1/nothing', 404],
    ['GET', '/v1', 404],
    ['GET', '/v1?x=1', 404],
    ['GET', '/v1/calls/%zz', 400],
    ['POST', '/v1/hooks/%zz', 401],
    ['POST', '/v1/hooks/nonsense', 401],
    ['POST', `/v1/hooks/${token}`, 413, json, large],
    ['POST', `/v1/hooks/${token}`, 415, { 'content-type': 'text/plain' }, 'hello'],
    ['POST', `/v1/hooks/${token}`, 400, json, '{'],
    ['POST', '/v1/calls', 413, { ...json, 'x-api-key': org.key }, large],
  ])('%s %s: %i', async (method, url, status, headers = {}, payload = undefined) => {
    const request = { method: method as 'GET', url, headers, ...(payload ? { payload } : {}) }
    const response = await t.app.inject(request as { method: 'GET'; url: string })
    expect(response.statusCode).toBe(status)
    expect(response.headers['ratelimit-policy']).toMatch(/^"(default|daily)";q=\d+;w=\d+$/)
    expect(response.headers.ratelimit).toMatch(/^"(default|daily)";r=\d+;t=\d+$/)
  })

  it('and an answer that counts for nothing takes nothing away', async () => {
    const left = async () => (await t.app.inject({ method: 'PUT', url: '/v1/calls' })).headers.ratelimit
    expect(await left()).toBe(await left())
  })
})
