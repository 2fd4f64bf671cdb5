import { expect, it } from 'vitest'
import { createLog, scrub } from './log.ts'

it.each([
  'call +15005550001 failed',
  'call 1 (500) 555-0001 failed',
  'mail maya@example.com bounced',
  'key pk_B0qr5jIENmokGLvY3H2yB9era8VxQXAH2q7v6TjjFZQ is bad',
  'secret whsec_abc leaked',
  'POST /v1/hooks/U0aLA9G5j99bWVn refused',
])('masks what is personal or secret in %j', (text) => {
  expect(scrub(text)).toMatch(/\[(number|e-mail|secret|token)\]/)
  expect(scrub(text)).not.toMatch(/555|maya|B0qr5|whsec_abc|U0aLA9G5j99bWVn/)
})

it("a database error is logged by its codes, without the message and detail that quote a row's values", () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const error = Object.assign(new Error('duplicate key (name)=(Maya)'), {
    severity: 'ERROR',
    code: '23505',
    detail: 'Key (contact_name)=(Maya) already exists.',
    constraint: 'calls_pkey',
  })
  log.error({ err: error }, 'request failed')
  expect(lines[0]).toContain('23505')
  expect(lines[0]).toContain('calls_pkey')
  expect(lines[0]).not.toContain('Maya')
})
