import { scopeNames } from '@parley/contract/scopes'
import { expect, it } from 'vitest'
import { presets, samePresets, scopeGroups, scopesInWords } from './scope-words.ts'

it('every scope can be chosen, once', () => {
  expect(scopeGroups.flatMap((group) => group.scopes).toSorted()).toEqual(scopeNames.toSorted())
})

it('only the preset that says so erases calls', () => {
  const erasing = presets.filter(({ scopes }) => scopes.includes('calls:delete'))
  expect(erasing.map((preset) => preset.label)).toEqual(['Everything'])
})

it('a preset is recognised in any order', () => {
  expect(samePresets(['calls:read', 'calls:create'], ['calls:create', 'calls:read'])).toBe(true)
  expect(samePresets(['calls:read'], ['calls:create'])).toBe(false)
})

it('all eight are called everything', () => {
  expect(scopesInWords(scopeNames)).toBe('Everything')
  expect(scopesInWords(['calls:create', 'calls:read'])).toBe('Place calls, Read calls')
})
