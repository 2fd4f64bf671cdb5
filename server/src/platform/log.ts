import { type Logger, pino } from 'pino'

export type Log = Logger

/** Error texts may quote input. What looks like a number, an address or a secret is masked before it is written. */
export const scrub = (text: string): string =>
  text
    .replace(/[\w.+-]+@[\w-]+(\.[\w-]+)*/g, '[e-mail]')
    .replace(/\b(pk|whsec|ins|hk)_[\w-]+/g, '$1_[secret]')
    .replace(/(\/hooks\/)[^\s/?"']+/g, '$1[token]')
    .replace(/\+?\d[\d\s().-]{6,}\d/g, '[number]')
    .replace(/[A-Za-z0-9_-]{40,}/g, '[token]')

/** A PostgreSQL error's message and detail quote row values, so only its codes are kept. */
export function serializeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const fields = error as Error & Record<string, unknown>
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const base = { type: error.name, code: fields.code, stack: frames.join('\n') }
  if ('severity' in fields) {
    return { ...base, table: fields.table, constraint: fields.constraint, routine: fields.routine }
  }
  return { ...base, message: scrub(error.message) }
}

export function createLog(level: string, destination?: { write(line: string): void }): Log {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: serializeError },
  }
  // Lines are gathered and written together, at the latest after a fifth of a second.
  const buffered = { dest: 1, sync: false, minLength: 65_536, maxWrite: 131_072, periodicFlush: 200 }
  return destination ? pino(options, destination) : pino(options, pino.destination(buffered))
}
