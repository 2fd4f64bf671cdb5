import type { Slot } from '@parley/contract/appointment-slots'
import type { BranchSettings } from '@parley/contract/branch-settings'
import { describe, expect, it } from 'vitest'
import { bodiesOf, copiesOf, copyBody, newDraft, overlapsOf, patchOfWindow, withSession } from './window-draft.ts'

const branch = {
  branch_id: 'b1',
  session_hours: {
    Morning: { start: '09:00', end: '12:00' },
    Afternoon: { start: '12:00', end: '17:00' },
    Evening: { start: '17:00', end: '20:00' },
  },
} as BranchSettings
const window = (more: Partial<Slot>) =>
  ({
    calendar_id: 'c1',
    day: 'monday',
    session: 'Morning',
    start_time: '09:00',
    end_time: '12:00',
    batch: null,
    appointment_type: null,
    max_slots: 8,
    ai_slots: 4,
    status: 'OPEN',
    ...more,
  }) as Slot

describe('a new window', () => {
  it('begins with the hours of the branch, and follows them unless they are changed', () => {
    const draft = newDraft(branch, 'monday', 'Morning')
    expect(bodiesOf(draft, branch)[0]).not.toHaveProperty('start_time')
    expect(bodiesOf({ ...draft, end: '11:00' }, branch)[0]).toMatchObject({ start_time: '09:00', end_time: '11:00' })
    expect(withSession(draft, branch, 'Evening')).toMatchObject({ start: '17:00', end: '20:00' })
    expect(withSession({ ...draft, start: '10:00' }, branch, 'Evening')).toMatchObject({ start: '10:00', end: '12:00' })
    expect(patchOfWindow(draft, branch)).toMatchObject({ start_time: null, end_time: null, batch_name: null })
  })

  it('several weekdays are one window each, in the order of the week', () => {
    const draft = { ...newDraft(branch, 'friday', 'Morning'), days: ['friday', 'monday'] as const, batch: ' A ' }
    const bodies = bodiesOf({ ...draft, days: [...draft.days] }, branch)
    expect(bodies.map((each) => [each.day, each.batch_name])).toEqual([
      ['monday', 'A'],
      ['friday', 'A'],
    ])
  })

  it('says what it would overlap', () => {
    const draft = { ...newDraft(branch, 'monday', 'Morning'), start: '11:00', end: '13:00' }
    const there = [
      window({}),
      window({ calendar_id: 'c2', day: 'tuesday' }),
      window({ calendar_id: 'c3', status: 'CLOSED' }),
    ]
    expect(overlapsOf(there, draft).map((each) => each.calendar_id)).toEqual(['c1'])
    expect(overlapsOf(there, draft, 'c1')).toEqual([])
  })
})

describe('copying a day', () => {
  it('makes what is missing, and leaves what is there and what is switched off', () => {
    const windows = [
      window({}),
      window({ calendar_id: 'c2', session: 'Evening', start_time: '17:00', end_time: '20:00' }),
      window({ calendar_id: 'c3', day: 'tuesday' }),
      window({ calendar_id: 'c4', session: 'Afternoon', status: 'CLOSED' }),
    ]
    const copies = copiesOf(windows, 'monday', ['monday', 'tuesday', 'wednesday'])
    expect(copies.map((each) => `${each.day} ${each.window.session}`)).toEqual([
      'tuesday Evening',
      'wednesday Morning',
      'wednesday Evening',
    ])
    expect(copyBody(branch, copies[0] as (typeof copies)[0])).toEqual({
      branch_id: 'b1',
      day: 'tuesday',
      session: 'Evening',
      max_slots: 8,
      ai_slots: 4,
    })
  })
})
