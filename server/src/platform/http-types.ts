import type { Scope } from '@parley/contract/scopes'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Fault } from './errors.ts'

/** `whole` is the body as parsed, whatever it is; `body` is empty when that is no object. */
export type RequestParts = { whole: unknown; body: Record<string, unknown>; query: Record<string, unknown> }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope an API key must hold. A /v1 route has either this or `open`. */
    scope?: Scope
    /** The route's own statement asks whether the key still holds, so that one seen lately is not asked for twice. */
    asksForKey?: true
    /** No API key: the route has a guard of its own, or none is needed. */
    open?: true
    /** Hook answers have their own statuses for some codes (decisions 1). */
    hook?: true
    /** Rules a schema cannot say; their faults are answered together with the schema's. */
    check?: (parts: RequestParts, now: Date) => Fault[]
    /**
     * What else is wrong with a request that is refused already: rules that need the database, and those whose own status
     * gives way to 400. Only a refusal pays for asking.
     */
    whenRefused?: (parts: RequestParts, request: FastifyRequest) => Promise<Fault[]>
    /** Fields of the resource that cannot be changed: known, so that they are not called unknown. */
    fixed?: readonly string[]
    /** The remembered answer to a request that now would be refused: its repeat (decisions 2). */
    replay?: (request: FastifyRequest) => Promise<string | null>
  }
  interface FastifyRequest {
    /** The body as it came, for signatures and idempotency. */
    rawBody: Buffer
    /** What a value of the body may not be, whatever its field; told with the faults of the fields. */
    bodyFaults: Fault[] | null
    /** The caller's key was not asked for yet. */
    isRecalled: boolean
    /** Asks for it before anything is answered but what the statement allowed; throws when it holds no more. */
    recheckKey(reply: FastifyReply): Promise<void>
    /** The query as it was written, before numbers were read. */
    rawQuery?: Record<string, unknown>
  }
}
