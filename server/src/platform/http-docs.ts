import swagger from '@fastify/swagger'
import { ErrorBody } from '@parley/contract/errors'
import { eventExamples } from '@parley/contract/event-examples'
import { eventSchemas, eventTypeNames, eventTypes } from '@parley/contract/events'
import type { FastifyInstance } from 'fastify'

// Scalar brings its script along and sets styles inline; nothing may come from, or go to, anywhere else.
const docsPolicy =
  "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; frame-ancestors 'none'"

/** What no operation answers by itself, so that none could list it. */
const answersOfAnyAddress = Object.fromEntries(
  Object.entries({
    404: 'Nothing at this address.',
    405: 'Another method would do: see the Allow header.',
    408: 'The request took too long to arrive.',
    431: 'The headers are too large.',
    500: 'Something went wrong on our side.',
  }).map(([status, description]) => [
    status,
    { description, content: { 'application/json': { schema: { ...ErrorBody } as object } } },
  ]),
)

/** OpenAPI 3.1 made from the schemas that validate, and a page to read it (decisions 10). Register before the routes. */
export async function documentRoutes(
  app: FastifyInstance,
  { baseUrl, withPage }: { baseUrl: string; withPage: boolean },
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Parley API',
        version: '1.0.0',
        description:
          'Create voice calls for an AI agent, follow them, and receive signed webhooks about their outcome. ' +
          'Send your API key in the `x-api-key` header. A known address asked with another method answers 405, and its ' +
          '`Allow` header says which would do.',
      },
      components: {
        securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
        responses: answersOfAnyAddress,
      },
      security: [{ apiKey: [] }],
      tags: ['Calls', 'Appointments', 'Appointment slots', 'Hooks', 'Sharing', 'Events'].map((name) => ({ name })),
      // The plugin's types stop at OpenAPI 3.0 here; 3.1 knows `webhooks`.
      ...({ webhooks: webhooks() } as object),
    },
    hideUntagged: true,
  })
  app.get('/openapi.json', { schema: { hide: true } }, async () => ({
    ...app.swagger(),
    servers: [{ url: baseUrl }],
  }))
  app.addHook('onRoute', (route) => {
    if (!route.url.startsWith('/docs')) return
    route.onSend = async (_request, reply, payload) => {
      reply.header('content-security-policy', docsPolicy)
      return payload
    }
    // The page would send its readers on to /docs/; `GET /docs` is the page (decisions 10).
    if (route.url === '/docs') {
      route.handler = async (_request, reply) =>
        reply.type('text/html; charset=utf-8').send((await app.inject('/docs/')).payload)
    }
  })
  // Four megabytes of script: only a node that serves the page loads it.
  if (!withPage) return
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      // In full, so that the page finds it from /docs as well as from /docs/.
      cdn: '/docs/js/scalar.js',
      pageTitle: 'Parley API reference',
      withDefaultFonts: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      telemetry: false,
      agent: { disabled: true, hideAddApi: true },
      mcp: { disabled: true },
    },
  })
}

const webhooks = (): Record<string, object> =>
  Object.fromEntries(
    eventTypeNames.map((type) => [
      type,
      {
        post: {
          operationId: `on_${type.replace('.', '_')}`,
          tags: ['Events'],
          summary: type,
          description: eventTypes[type],
          security: [],
          parameters: webhookHeaders,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: eventSchemas[type], example: eventExamples[type] } },
          },
          responses: { '2XX': { description: 'Received. Anything else, or no answer within 8 s, is tried again.' } },
        },
      },
    ]),
  )

const header = (name: string, description: string) => ({ name, in: 'header', description, schema: { type: 'string' } })
const webhookHeaders = [
  header('X-Webhook-Id', 'The event_id.'),
  header('X-Webhook-Timestamp', 'Unix seconds of this attempt. Absent when signing is off.'),
  header(
    'X-Webhook-Signature',
    '`v1=` and the Base64 HMAC-SHA256 of `<timestamp>.<raw body>`. Absent when signing is off.',
  ),
]
