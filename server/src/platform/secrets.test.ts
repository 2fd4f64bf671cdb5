import { expect, it } from 'vitest'
import { createVault, equalSecrets, randomToken } from './secrets.ts'

it('a token holds at least 32 bytes in base62 and never repeats', () => {
  const tokens = Array.from({ length: 1_000 }, () => randomToken())
  expect(tokens.every((token) => /^[0-9A-Za-z]{43}$/.test(token))).toBe(true)
  expect(new Set(tokens).size).toBe(1_000)
})

it('every letter comes about as often', () => {
  const counts = new Map<string, number>()
  for (const letter of Array.from({ length: 1_000 }, () => randomToken()).join('')) {
    counts.set(letter, (counts.get(letter) ?? 0) + 1)
  }
  expect(counts.size).toBe(62)
  // 43,000 letters, 694 of each expected; a bias of 256 mod 62 would show as 25 % more of the first eight.
  for (const count of counts.values()) expect(Math.abs(count - 694)).toBeLessThan(160)
})

it('a sealed secret opens with its key, and with no other key or changed byte', () => {
  const vault = createVault('a key of this test')
  const sealed = vault.seal('whsec_ünïcode')
  expect(vault.open(sealed)).toBe('whsec_ünïcode')
  expect(sealed.includes('whsec')).toBe(false)
  expect(vault.seal('whsec_ünïcode').equals(sealed)).toBe(false)
  expect(() => createVault('another key').open(sealed)).toThrow()
  sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1
  expect(() => vault.open(sealed)).toThrow()
})

it('secrets of different length compare unequal without throwing', () => {
  expect(equalSecrets('a', 'abc')).toBe(false)
  expect(equalSecrets('same', 'same')).toBe(true)
})
