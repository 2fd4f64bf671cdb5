import { describe, expect, it } from 'vitest'
import { calendarIdIn, parseSlotId, slotIdOf } from './slot-id.ts'

const id = '01990000-0000-7000-8000-00000000000a'
const service = '01990000-0000-7000-8000-00000000000b'

describe('slot ids (§2.4)', () => {
  it('have three forms, and are read as they are written', () => {
    for (const parts of [[id], [id, '2026-11-16'], [id, '2026-11-16', service]] as [string, ...string[]][]) {
      const [calendarId, date = null, appointmentTypeId = null] = parts
      expect(parseSlotId(slotIdOf(...parts))).toEqual({ calendarId, date, appointmentTypeId })
    }
  })
  it('are one whatever the case of their letters', () => {
    expect(parseSlotId(`${id.toUpperCase()}||2026-11-16`)?.calendarId).toBe(id)
  })
  it.each([
    '',
    '||',
    'x',
    `${id}|`,
    `${id}||`,
    `${id}||2026-02-30`,
    `${id}||2026-11-16||`,
    `${id}||2026-11-16||${service}||x`,
    `${id}||2026-11-16T09:00`,
  ])('%j is none', (text) => expect(parseSlotId(text)).toBeNull())
  it('only the first part counts where a window is meant', () => {
    expect(calendarIdIn(`${id}||anything||at||all`)).toBe(id)
    expect(calendarIdIn(`x||${id}`)).toBeNull()
  })
})
