import type { ErrorObject, ValidateFunction } from 'ajv'
import fastJson from 'fast-json-stringify'
import { bodySchemas, querySchemas } from './schema-faults.ts'

type Check = ((data: unknown) => boolean) & { errors?: ErrorObject[] | null }

/**
 * Compiling every schema of every route takes a second and a half, and most are never used between two starts: each is
 * compiled when it is first needed.
 */
export function lazyCheck(schema: object, part: string | undefined): Check {
  const schemas = part === 'querystring' ? querySchemas : bodySchemas
  let compiled: ValidateFunction | undefined
  const check: Check = (data) => {
    compiled ??= schemas.compile(schema)
    const ok = compiled(data)
    check.errors = compiled.errors ?? null
    return ok
  }
  return check
}

const writers = new Map<string, (data: unknown) => string>()

/** Equal schemas share a writer, also across apps: the error body is the same on every route. */
export function lazyWriter(schema: object): (data: unknown) => string {
  let write: ((data: unknown) => string) | undefined
  return (data) => {
    if (!write) {
      const text = JSON.stringify(schema)
      write = writers.get(text) ?? fastJson(schema as Parameters<typeof fastJson>[0])
      writers.set(text, write)
    }
    return write(data)
  }
}
