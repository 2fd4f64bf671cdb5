import { placeholdersIn } from '@parley/contract/placeholders'
import { expect, it } from 'vitest'
import { fillPlaceholders } from './placeholders.ts'

const values = {
  userName: 'Maya',
  userNumber: '+15005550001',
  userEmail: null,
  additionalInfo: {
    order: 'A-1',
    amount: 12.5,
    vip: true,
    nothing: null,
    trick: '{{secret}}',
    secret: 'hidden',
    'two words': 'x',
  },
}

it.each([
  ['Hello {{user_name}}, order {{order}} of {{ amount }}', 'Hello Maya, order A-1 of 12.5'],
  ['{{vip}} {{nothing}}|{{user_email}}|{{unknown}}|{{two words}}', 'true |||x'],
  ['{{trick}}', '{{secret}}'],
  ['{{toString}}{{constructor}}{{__proto__}}', ''],
  ['{{{user_name}}} {{}} {user_name}', '{Maya}  {user_name}'],
])('%s', (template, filled) => {
  expect(fillPlaceholders(template, values)).toBe(filled)
})

it('a value the caller named user_name does not shadow the real one', () => {
  expect(fillPlaceholders('{{user_name}}', { ...values, additionalInfo: { user_name: 'Mallory' } })).toBe('Maya')
})

it('lists the keys templates use, each once', () => {
  expect(placeholdersIn('Hello {{user_name}}, {{ order }}', '{{order}} {{}} {{two words}} {one}')).toEqual([
    'user_name',
    'order',
    'two words',
  ])
})
