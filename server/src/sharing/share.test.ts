import { expect, it } from 'vitest'
import { createTokenOf } from './share.ts'

it('a token holds 256 bits in letters and digits, its own for every call, salt and key', () => {
  const tokenOf = createTokenOf('a secret key')
  const tokens = new Set<string>()
  for (let n = 0; n < 2_000; n += 1) tokens.add(tokenOf(`call_${n}`, 'salt')).add(tokenOf('call_1', `salt${n}`))
  tokens.add(createTokenOf('another key')('call_1', 'salt'))
  expect(tokens.size).toBe(4_001)
  for (const token of tokens) expect(token).toMatch(/^[0-9a-z]{50}$/)
  expect(tokenOf('call_1', 'salt')).toBe(createTokenOf('a secret key')('call_1', 'salt'))
})
