import type { Call } from '@parley/contract/calls'
import { expect, it } from 'vitest'
import {
  bodyOf,
  type CallForm,
  emptyForm,
  formFaults,
  formOfCall,
  infoFault,
  missingPlaceholders,
} from './call-form.ts'

const now = new Date('2026-11-15T09:00:00Z')
const pair = (key: string, value: string) => ({ id: 0, key, value })
const form: CallForm = { ...emptyForm('Asia/Kolkata'), agentId: 'agt_1', number: '+1 500 555 0001' }

it('a filled form is the smallest request that says it', () => {
  expect(formFaults(form, now)).toEqual({})
  expect(bodyOf(form)).toEqual({ agent_id: 'agt_1', user_number: '+15005550001' })
  const later: CallForm = {
    ...form,
    name: ' Maya ',
    language: 'hi',
    when: 'later',
    date: '2026-11-16',
    time: '10:00',
    info: [pair('order', 'A-1'), pair('', '')],
  }
  expect(bodyOf(later)).toEqual({
    agent_id: 'agt_1',
    user_number: '+15005550001',
    user_name: 'Maya',
    user_preferred_language: 'hi',
    additional_info: { order: 'A-1' },
    scheduled_time: '2026-11-16T10:00:00+05:30',
  })
})

it('says everything that is wrong at once', () => {
  const wrong: CallForm = { ...emptyForm('UTC'), email: 'x', when: 'later', date: '2026-11-15', time: '08:59' }
  expect(Object.keys(formFaults(wrong, now))).toEqual(['agent_id', 'user_number', 'user_email', 'scheduled_time'])
  expect(formFaults({ ...form, when: 'later', date: '', time: '' }, now).scheduled_time).toBe(
    'Choose a day and a time.',
  )
  expect(
    formFaults({ ...form, zone: 'UTC', when: 'later', date: '2027-11-16', time: '10:00' }, now).scheduled_time,
  ).toBe('Choose a time within a year.')
})

it.each([
  [[pair('', 'x')], 'Give every value a name.'],
  [[pair('a', '1'), pair(' a ', '2')], 'The name a is there twice.'],
  [[pair('a'.repeat(65), '')], 'A name has at most 64 characters.'],
  [[pair('a', 'x'.repeat(1001))], 'A value has at most 1,000 characters.'],
  [Array.from({ length: 26 }, (_, i) => pair(String(i), 'x')), 'At most 25 pairs.'],
  [[pair('', ''), pair('a', '1')], undefined],
])('%#', (info, fault) => expect(infoFault(info)).toBe(fault))

it('calling again takes everything along but the time', () => {
  const call = {
    agent_id: 'agt_1',
    contact_number: '+15005550001',
    contact_name: 'Maya',
    contact_email: null,
    contact_preferred_language: null,
    additional_info: { age: 7, vip: true, none: null },
    scheduled_at: '2020-01-01T00:00:00.000Z',
  } as unknown as Call
  expect(bodyOf(formOfCall(call, 'UTC'))).toEqual({
    agent_id: 'agt_1',
    user_number: '+15005550001',
    user_name: 'Maya',
    additional_info: { age: '7', vip: 'true', none: '' },
  })
})

it('names what the agent wants to know and nobody has said', () => {
  const placeholders = ['user_name', 'order', 'topic', 'user_number']
  expect(missingPlaceholders({ ...form, info: [pair('order', 'A-1')] }, placeholders)).toEqual(['user_name', 'topic'])
})
