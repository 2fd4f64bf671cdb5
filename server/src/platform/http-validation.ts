import type { ErrorObject } from 'ajv'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Clock } from './clock.ts'
import { lazyCheck, lazyWriter } from './compile-schemas.ts'
import { type Fault, fault, onePerField, validationError } from './errors.ts'
import type { RequestParts } from './http-types.ts'
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
type SchemaError = NonNullable<FastifyRequest['validationError']>

const keepQuery = (request: FastifyRequest, _reply: FastifyReply, done: Done): void => {
  if (request.raw.url?.includes('?')) request.rawQuery = { ...(request.query as Record<string, unknown>) }
  done()
}

const refuseFaults =
  ({ config, schema }: RouteOptions, clock: Clock) =>
  (request: FastifyRequest, reply: FastifyReply, done: Done): void => {
    const faults = request.rawQuery
      ? queryFaults(request.rawQuery, schema?.querystring, config?.scope !== undefined, request.validationError)
      : []
    if (request.validationError)
      faults.push(...schemaFaults(request.validationError, request.body, schema?.body, config?.fixed))
    if (config?.check) {
      faults.push(...config.check(partsOf(request), clock.now()))
    }
    if (request.bodyFaults) faults.push(...request.bodyFaults)
    if (faults.length === 0) done()
    else refuseOrReplay(request, reply, faults, config).catch(done)
  }

function schemaFaults(error: SchemaError, body: unknown, bodySchema: unknown, fixed: readonly string[] = []): Fault[] {
  if (error.validationContext === 'body' && body === undefined) return emptyBodyFaults(bodySchema)
  const whole = error.validationContext === 'querystring' ? 'query' : 'body'
  const faults = ((error.validation ?? []) as ErrorObject[]).flatMap((each) => toFault(each, whole))
  return faults.map((each) =>
    each.code === 'unknown_field' && fixed.includes(each.field)
      ? { ...each, message: 'This cannot be changed.' }
      : each,
  )
}

function emptyBodyFaults(schema: unknown): Fault[] {
  const { required = [] } = schema as { required?: string[] }
  return [
    fault('body', 'type', 'The body is empty: send a JSON object.'),
    ...required.map((name) => fault(name, 'required', 'This field is required.')),
  ]
}

/** A repeat of what succeeded once is answered as it was then, though the time it names has passed since. */
async function refuseOrReplay(
  request: FastifyRequest,
  reply: FastifyReply,
  faults: Fault[],
  { replay, whenRefused }: FastifyContextConfig = {},
): Promise<void> {
  if (request.isRecalled) await request.recheckKey(reply)
  const replayed = (await replay?.(request)) ?? null
  if (replayed !== null) return void (await sendReplay(reply, replayed))
  const more = (await whenRefused?.(partsOf(request), request)) ?? []
  throw validationError(onePerField([...faults, ...more]))
}

/** What coercion lets pass: numbers written in odd ways, and parameters of routes that take none. */
function queryFaults(
  query: Record<string, unknown>,
  schema: unknown,
  isApi: boolean,
  refusal: SchemaError | undefined,
): Fault[] {
  const known = (schema as { properties?: Record<string, { type?: string }> } | undefined)?.properties
  if (!known) {
    // Only on the API: a page's address may carry anything.
    const names = isApi ? Object.keys(query) : []
    return names.map((name) => fault(name.slice(0, 200), 'unknown_field', 'There is no parameter of this name.'))
  }
  return Object.entries(query).flatMap(([name, value]) => {
    if (!Object.hasOwn(known, name)) return []
    // Where a schema only describes, it refuses nothing.
    if (Array.isArray(value))
      return refusal ? [fault(name, 'type', 'This was given more than once: give it once.')] : []
    return known[name]?.type === 'integer' && !/^(0|[1-9]\d{0,14})$/.test(String(value))
      ? [fault(name, 'type', 'This must be a whole number, written in digits: 20.')]
      : []
  })
}

/** The first answer again, byte for byte (decisions 2). */
export const sendReplay = (reply: FastifyReply, answer: string, status = 201): FastifyReply =>
  reply
    .header('idempotent-replayed', 'true')
    .status(status)
    .type('application/json; charset=utf-8')
    .serializer(String)
    .send(answer)

const partsOf = ({ body, query }: FastifyRequest): RequestParts => ({
  whole: body,
  body: asRecord(body),
  query: asRecord(query),
})

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
