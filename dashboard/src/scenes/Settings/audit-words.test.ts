import { expect, it } from 'vitest'
import { actionWords, actorWords } from './audit-words.ts'

it('an action that has no words yet is still readable', () => {
  expect(actionWords('sharing.off')).toBe('Switched sharing off')
  expect(actionWords('api_key.created')).toBe('Api key: created')
  expect(actionWords('odd')).toBe('Odd')
})

it('whoever is no member is named by what they are', () => {
  expect(['key_1', 'usr_1', 'operator'].map(actorWords)).toEqual(['An API key', 'Somebody who left', 'Operator'])
})
