import { expect, it } from 'vitest'
import { contentKey, randomKey } from './content-key.ts'

it('the same text gives the same key, another text another, in signs a header may hold', () => {
  const texts = Array.from({ length: 20_000 }, (_, i) => `+1500555${i},Maya`)
  const keys = new Set(texts.map(contentKey))
  expect(keys.size).toBe(texts.length)
  expect(contentKey('a')).toBe(contentKey('a'))
  expect(contentKey('')).toMatch(/^[0-9a-z]{44}$/)
  expect(contentKey('हाँ 😀')).toMatch(/^[0-9a-z]{44}$/)
})

it('random keys differ', () => expect(randomKey()).not.toBe(randomKey()))
