import type { ErrorObject } from 'ajv'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Clock } from './clock.ts'
import { lazyCheck, lazyWriter } from './compile-schemas.ts'
import { type Fault, fault, onePerField, validationError } from './errors.ts'
import './http-types.ts'
import { toFault } from './schema-faults.ts'

/** Schema faults and the route's own rules are answered together, all at once (decisions 1). */
export function validateRequests(app: FastifyInstance, clock: Clock): void {
  app.setValidatorCompiler(({ schema, httpPart }) =>
    // Any header is a string, which is all their schemas say; what must be in it is for those who read it.
    httpPart === 'headers' ? () => true : lazyCheck(schema as object, httpPart),
  )
  app.setSerializerCompiler(({ schema }) => lazyWriter(schema as object))
  app.addHook('onRoute', (route) => {
    route.attachValidation = true
    route.preValidation = [keepQuery, ...[route.preValidation ?? []].flat()]
    route.preHandler = [refuseFaults(route, clock), ...[route.preHandler ?? []].flat()]
  })
}

type Done = (error?: Error) => void

const keepQuery = (request: FastifyRequest, _reply: FastifyReply, done: Done): void => {
  if (request.raw.url?.includes('?')) request.rawQuery = { ...(request.query as Record<string, unknown>) }
  done()
}

const refuseFaults =
  ({ config, schema }: RouteOptions, clock: Clock) =>
  (request: FastifyRequest, reply: FastifyReply, done: Done): void => {
    const faults = request.validationError ? schemaFaults(request.validationError) : []
    if (config?.check) {
      const { body, query } = request
      faults.push(...config.check({ whole: body, body: asRecord(body), query: asRecord(query) }, clock.now()))
    }
    if (request.bodyFaults) faults.push(...request.bodyFaults)
    if (request.rawQuery)
      faults.push(...queryFaults(request.rawQuery, schema?.querystring, config?.scope !== undefined))
    if (faults.length === 0) done()
    else refuseOrReplay(request, reply, faults, config).catch(done)
  }

function schemaFaults(error: NonNullable<FastifyRequest['validationError']>): Fault[] {
  const whole = error.validationContext === 'querystring' ? 'query' : 'body'
  return ((error.validation ?? []) as ErrorObject[]).flatMap((each) => toFault(each, whole))
}

/** A repeat of what succeeded once is answered as it was then, though the time it names has passed since. */
async function refuseOrReplay(
  request: FastifyRequest,
  reply: FastifyReply,
  faults: Fault[],
  { replay, checkRefused }: FastifyContextConfig = {},
): Promise<void> {
  if (request.isRecalled) await request.recheckKey(reply)
  const replayed = (await replay?.(request)) ?? null
  if (replayed === null) throw validationError(onePerField([...faults, ...((await checkRefused?.(request)) ?? [])]))
  await sendReplay(reply, replayed)
}

/** What coercion lets pass: numbers written in odd ways, and parameters of routes that take none. */
function queryFaults(query: Record<string, unknown>, schema: unknown, isApi: boolean): Fault[] {
  const known = (schema as { properties?: Record<string, { type?: string }> } | undefined)?.properties
  if (!known) {
    // Only on the API: a page's address may carry anything.
    const names = isApi ? Object.keys(query) : []
    return names.map((name) => fault(name.slice(0, 200), 'unknown_field', 'There is no parameter of this name.'))
  }
  return Object.entries(query)
    .filter(
      ([name, value]) =>
        known[name]?.type === 'integer' && typeof value === 'string' && !/^(0|[1-9]\d{0,14})$/.test(value),
    )
    .map(([name]) => fault(name, 'type', 'This must be a whole number, written in digits: 20.'))
}

/** The first answer again, byte for byte (decisions 2). */
export const sendReplay = (reply: FastifyReply, answer: string, status = 201): FastifyReply =>
  reply
    .header('idempotent-replayed', 'true')
    .status(status)
    .type('application/json; charset=utf-8')
    .serializer(String)
    .send(answer)

export const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
