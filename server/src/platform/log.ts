import { type Logger, pino, symbols } from 'pino'
import { createIsoWriter } from './iso-text.ts'

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

const isoText = createIsoWriter()
const stamp = (): string => isoText(Date.now())

/**
 * Writes lines whose fields are known beforehand and need no care: `fields` is the inside of a JSON object. One line per
 * request is most of what is logged, and taking any object apart costs a tenth of a request.
 */
export function lineWriter(log: Log, message: string): (fields: string) => void {
  const out = (log as unknown as Record<symbol, { write(line: string): void }>)[symbols.streamSym]
  const before = `{"level":"info","time":"`
  const after = `","pid":${process.pid},`
  const end = `,"msg":${JSON.stringify(message)}}\n`
  let gathered = ''
  const hand = () => {
    out?.write(gathered)
    gathered = ''
  }
  return (fields) => {
    if (!log.isLevelEnabled('info')) return
    // The lines of one turn of the event loop go out together: with every write the stream measures all it holds.
    if (gathered === '') setImmediate(hand)
    gathered += `${before}${stamp()}${after}${fields}${end}`
  }
}

export function createLog(level: string, destination?: { write(line: string): void }): Log {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: () => `,"time":"${stamp()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: serializeError },
  }
  // Lines are gathered and written together, at the latest after a fifth of a second.
  const buffered = { dest: 1, sync: false, minLength: 16_384, maxWrite: 65_536, periodicFlush: 200 }
  return destination ? pino(options, destination) : pino(options, pino.destination(buffered))
}
