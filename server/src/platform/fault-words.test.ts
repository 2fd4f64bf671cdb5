import * as agents from '@parley/contract/agents'
import * as slots from '@parley/contract/appointment-slots'
import * as appointments from '@parley/contract/appointments'
import * as branches from '@parley/contract/branch-settings'
import * as calls from '@parley/contract/calls'
import * as common from '@parley/contract/common'
import * as doNotCall from '@parley/contract/do-not-call'
import * as hooks from '@parley/contract/hooks'
import * as organisation from '@parley/contract/organisation'
import * as slotDates from '@parley/contract/slot-dates'
import * as team from '@parley/contract/team'
import * as trunks from '@parley/contract/trunks'
import { expect, it } from 'vitest'
import { ApplyFile } from '../cli/apply-file.ts'
import { faultWords } from './fault-words.ts'

function patternsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found
  for (const [key, inside] of Object.entries(value)) {
    if (key === 'pattern' && typeof inside === 'string') found.add(inside)
    patternsIn(inside, found)
  }
  return found
}

it('says of every pattern of the contract what would be right, and shows none', () => {
  const contract = [agents, slots, appointments, branches, calls, common, doNotCall, hooks, organisation]
  const patterns = [...patternsIn([...contract, slotDates, team, trunks, ApplyFile].map((each) => ({ ...each })))]
  expect(patterns.length).toBeGreaterThan(8)
  for (const pattern of patterns) {
    const words = faultWords({ keyword: 'pattern', params: { pattern } })
    expect(words, pattern).not.toBe('This is not valid.')
    expect(words).not.toContain(pattern)
  }
})

it.each([
  ['type', { type: 'string' }, 'This must be a string.'],
  ['type', { type: 'integer' }, 'This must be a whole number.'],
  ['type', { type: ['string', 'number', 'boolean', 'null'] }, 'This must be a string, a number, a boolean or null.'],
  ['type', { type: ['string', 'null'] }, 'This must be a string or null.'],
  ['minLength', { limit: 1 }, 'This must not be empty.'],
  ['maxLength', { limit: 1_000 }, 'At most 1,000 characters.'],
  ['minimum', { limit: 1 }, 'This must be 1 or more.'],
  ['maximum', { limit: 100 }, 'This must be 100 or less.'],
  ['maxProperties', { limit: 25 }, 'At most 25 pairs.'],
  ['something new', {}, 'This is not valid.'],
])('%s %j: %s', (keyword, params, words) => {
  expect(faultWords({ keyword, params })).toBe(words)
})
