import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Calendar, type Clinic, createCalendar, expectTrueCounters } from '../calendar/calendar.ts'
import { type CalendarOperation, calendarOperations, calendarShots } from './calendar-shots.ts'
import { bodyHeaders, judge, mostly, type Operation, payloads, seed, toRequest } from './shots.ts'

let t: Calendar
let clinic: Clinic
let operations: Record<CalendarOperation, Operation>
const seen = new Map<string, Set<number>>()

beforeAll(async () => {
  t = await createCalendar()
  clinic = await t.clinic()
  operations = await calendarShots(clinic)
})

const headers = (key: string) =>
  fc.record({
    'x-api-key': mostly(key, [undefined, '', 'pk_', `${key}, ${key}`]),
    ...bodyHeaders,
    'idempotency-key': mostly(undefined, ['', 'one', 'a b', 'é', 'k'.repeat(256)]),
  })

describe('whatever is sent to the calendar', () => {
  it.each(calendarOperations)(
    '%s answers in its own words',
    async (name) => {
      const statuses = new Set<number>()
      seen.set(name, statuses)
      const { url, body = {}, runs } = operations[name]
      const shots = fc.record({ url, payload: payloads(body), headers: headers(clinic.key) })
      const property = fc.asyncProperty(shots, async (shot) => {
        const answer = await t.app.inject(toRequest(operations[name], shot))
        judge(answer, 200, 201)
        statuses.add(answer.statusCode)
      })
      await fc.assert(property, { seed, numRuns: runs, timeout: 20_000, endOnFailure: true })
      // Some shots must have hit, and some missed.
      expect(Math.min(...statuses)).toBeLessThan(300)
      expect(Math.max(...statuses)).toBeGreaterThan(300)
    },
    120_000,
  )

  it('says beforehand which statuses an operation has', async () => {
    type Document = { paths: Record<string, Record<string, { operationId: string; responses: object }>> }
    const document = (await t.app.inject('/openapi.json')).json<Document>()
    const documented = Object.values(document.paths).flatMap((path) => Object.values(path))
    for (const { operationId, responses } of documented) {
      const unsaid = [...(seen.get(operationId) ?? [])].filter((status) => !(status in responses))
      expect.soft(unsaid, `${operationId} answers what /openapi.json does not say`).toEqual([])
    }
  })

  it('leaves every counter right, and nothing went wrong inside', async () => {
    await expectTrueCounters(t)
    expect(t.logLines.filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([])
  })
})
