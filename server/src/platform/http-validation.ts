import type { ErrorObject } from 'ajv'
import type { FastifyInstance } from 'fastify'
import type { Clock } from './clock.ts'
import { type Fault, validationError } from './errors.ts'
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
  app.addHook('preHandler', async (request) => {
    const error = request.validationError
    const whole = error?.validationContext === 'querystring' ? 'query' : 'body'
    const faults = ((error?.validation ?? []) as ErrorObject[]).flatMap((each) => toFault(each, whole))
    const check = request.routeOptions.config.check
    if (check) {
      faults.push(
        ...check({ whole: request.body, body: asRecord(request.body), query: asRecord(request.query) }, clock.now()),
      )
    }
    if (faults.length > 0) throw validationError(onePerField(faults))
  })
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

const onePerField = (faults: Fault[]): Fault[] =>
  [...new Map(faults.toReversed().map((each) => [each.field, each])).values()].toReversed()
