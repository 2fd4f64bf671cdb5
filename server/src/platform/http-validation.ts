import type { ErrorObject } from 'ajv'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from './clock.ts'
import { type Fault, fault, validationError } from './errors.ts'
import './http-types.ts'
import { bodySchemas, querySchemas, toFault } from './schema-faults.ts'

/** Schema faults and the route's own rules are answered together, all at once (decisions 1). */
export function validateRequests(app: FastifyInstance, clock: Clock): void {
  app.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === 'querystring' ? querySchemas : bodySchemas).compile(schema as object),
  )
  app.addHook('onRoute', (route) => {
    route.attachValidation = true
  })
  app.addHook('preHandler', async (request, reply) => {
    const error = request.validationError
    const whole = error?.validationContext === 'querystring' ? 'query' : 'body'
    const faults = ((error?.validation ?? []) as ErrorObject[]).flatMap((each) => toFault(each, whole))
    const { config } = request.routeOptions
    const { check } = config
    if (check) {
      faults.push(
        ...check({ whole: request.body, body: asRecord(request.body), query: asRecord(request.query) }, clock.now()),
      )
    }
    faults.push(...queryFaults(request))
    if (faults.length === 0) return
    // A repeat of what succeeded once is answered as it was then, though the time it names has passed since.
    const replayed = await config.replay?.(request)
    if (replayed === undefined || replayed === null) throw validationError(onePerField(faults))
    return sendReplay(reply, replayed)
  })
  app.addHook('preValidation', async (request) => {
    request.rawQuery = { ...(request.query as Record<string, unknown>) }
  })
}

/** What coercion lets pass: numbers written in odd ways, and parameters of routes that take none. */
function queryFaults(request: FastifyRequest): Fault[] {
  const { schema, config } = request.routeOptions
  const query = request.rawQuery ?? {}
  const known = (schema?.querystring as { properties?: Record<string, { type?: string }> } | undefined)?.properties
  if (!known) {
    // Only on the API: a page's address may carry anything.
    const names = config.scope ? Object.keys(query) : []
    return names.map((name) => fault(name.slice(0, 200), 'unknown_field', 'There is no parameter of this name.'))
  }
  return Object.entries(query)
    .filter(
      ([name, value]) => known[name]?.type === 'integer' && typeof value === 'string' && !/^\d{1,15}$/.test(value),
    )
    .map(([name]) => fault(name, 'type', 'This must be a whole number, written in digits.'))
}

/** The first answer again, byte for byte (decisions 2). */
export const sendReplay = (reply: FastifyReply, answer: string): FastifyReply =>
  reply
    .header('idempotent-replayed', 'true')
    .status(201)
    .type('application/json; charset=utf-8')
    .serializer(String)
    .send(answer)

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

const onePerField = (faults: Fault[]): Fault[] =>
  [...new Map(faults.toReversed().map((each) => [each.field, each])).values()].toReversed()
