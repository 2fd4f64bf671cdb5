import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { createRequestTimes } from './request-times.ts'

it('is written as any histogram: buckets count up to their bound, by method, route and status', async () => {
  const registry = new Registry()
  const observe = createRequestTimes(registry).of('/v1/calls')
  observe('GET', 200, 0.0005)
  observe('GET', 200, 0.02)
  observe('GET', 200, 60)
  observe('POST', 201, 0.02)
  const lines = (await registry.metrics()).split('\n')
  expect(lines[1]).toBe('# TYPE parley_http_request_seconds histogram')
  const of = (method: string, status: number, rest: string) =>
    lines.find(
      (line) => line.includes(`method="${method}"`) && line.includes(`status="${status}"`) && line.includes(rest),
    )
  expect(of('GET', 200, 'le="0.001"')).toMatch(/^parley_http_request_seconds_bucket\{.*\} 1$/)
  expect(of('GET', 200, 'le="0.025"')).toMatch(/ 2$/)
  expect(of('GET', 200, 'le="10"')).toMatch(/ 2$/)
  expect(of('GET', 200, 'le="+Inf"')).toMatch(/ 3$/)
  expect(of('GET', 200, 'seconds_count')).toMatch(/ 3$/)
  expect(of('GET', 200, 'seconds_sum')).toMatch(/ 60\.0205$/)
  expect(of('POST', 201, 'seconds_count')).toMatch(/ 1$/)
})
