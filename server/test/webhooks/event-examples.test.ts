import { eventExamples } from '@parley/contract/event-examples'
import { eventSchemas, eventTypeNames } from '@parley/contract/events'
import { describe, expect, it } from 'vitest'
import { bodySchemas } from '../../src/platform/schema-faults.ts'

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const prefixed = /^(evt|call|agt)_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/
const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Every field of an example, nested ones too. */
const fieldsOf = (value: object): [name: string, value: unknown][] =>
  Object.entries(value).flatMap(([name, each]) => [
    [name, each],
    ...(typeof each === 'object' && each !== null ? fieldsOf(each) : []),
  ])

/** When an id was made, as a UUIDv7 tells it. */
const madeAt = (id: string) => new Date(Number.parseInt(id.replace(/^[a-z]+_|-/g, '').slice(0, 12), 16)).toISOString()

describe.each(eventTypeNames)('the example of %s', (type) => {
  const example = eventExamples[type]
  const matches = bodySchemas.compile(eventSchemas[type])

  it('has the shape of its schema', () => {
    expect(matches(example), JSON.stringify(matches.errors)).toBe(true)
    expect(example.event_type).toBe(type)
  })

  it('has every field of its schema, so that nothing is left to guess', () => {
    expect(Object.keys(example.data)).toEqual(Object.keys(eventSchemas[type].properties.data.properties))
  })

  it('has ids and times as the service writes them', () => {
    for (const [name, value] of fieldsOf(example)) {
      if (value === null || name === 'slot_id' || name === 'external_id' || name === 'order_id') continue
      if (/^(event|call|agent|scheduled_call)_id$/.test(name)) expect(value, name).toMatch(prefixed)
      else if (/_id$|^appointment_type$/.test(name)) expect(value, name).toMatch(uuidV7)
      if (/^(created|updated|scheduled|completed|call_triggered)_at$/.test(name)) expect(value, name).toMatch(utc)
    }
    expect(madeAt(example.event_id)).toBe(example.created_at)
  })
})

describe('a stray field', () => {
  const matches = bodySchemas.compile(eventSchemas['call.failed'])
  const example = eventExamples['call.failed']

  it('is caught in the envelope', () => {
    expect(matches({ ...example, version: 1 })).toBe(false)
  })

  it('is caught in the data of a call', () => {
    expect(matches({ ...example, data: { ...example.data, prompt: 'secret' } })).toBe(false)
  })
})

it('the wall-clock times of the appointment are those of its time zone', () => {
  const { date, start_time, end_time, starts_at, ends_at, timezone } = eventExamples['appointment.created'].data
  const local = (instant: string) =>
    new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' }).format(
      new Date(instant),
    )
  expect(local(starts_at)).toBe(`${date} ${start_time}`)
  expect(local(ends_at)).toBe(`${date} ${end_time}`)
  const weekday = new Date(`${date}T00:00:00Z`).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' })
  expect(weekday.toLowerCase()).toBe(eventExamples['slot.updated'].data.day)
})

it('links of the completed call are good for five minutes from the attempt', () => {
  const { created_at, data } = eventExamples['call.completed']
  for (const link of [data.call_recording, data.call_transcript]) {
    const url = new URL(String(link))
    expect(url.href).toMatch(/^https:\/\/parley\.example\/media\/(recordings|transcripts)\/call_[0-9a-f]{32}\?/)
    expect(Number(url.searchParams.get('expires'))).toBe(Math.floor(Date.parse(created_at) / 1_000) + 300)
  }
})
