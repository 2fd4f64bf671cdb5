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
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.url.includes('?')) request.rawQuery = { ...(request.query as Record<string, unknown>) }
    done()
  })
  app.addHook('preHandler', (request, reply, done) => {
    const faults = faultsOf(request, clock.now())
    if (faults.length === 0) {
      done()
      return
    }
    refuseOrReplay(request, reply, faults).catch(done)
  })
}

function faultsOf(request: FastifyRequest, now: Date): Fault[] {
  const error = request.validationError
  const whole = error?.validationContext === 'querystring' ? 'query' : 'body'
  const faults = ((error?.validation ?? []) as ErrorObject[]).flatMap((each) => toFault(each, whole))
  const { check } = request.routeOptions.config
  if (check)
    faults.push(...check({ whole: request.body, body: asRecord(request.body), query: asRecord(request.query) }, now))
  if (request.rawQuery) faults.push(...queryFaults(request, request.rawQuery))
  return faults
}

/** A repeat of what succeeded once is answered as it was then, though the time it names has passed since. */
async function refuseOrReplay(request: FastifyRequest, reply: FastifyReply, faults: Fault[]): Promise<void> {
  const replayed = await request.routeOptions.config.replay?.(request)
  if (replayed === undefined || replayed === null) throw validationError(onePerField(faults))
  await sendReplay(reply, replayed)
}

/** What coercion lets pass: numbers written in odd ways, and parameters of routes that take none. */
function queryFaults(request: FastifyRequest, query: Record<string, unknown>): Fault[] {
  const { schema, config } = request.routeOptions
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
