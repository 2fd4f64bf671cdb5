import { isE164 } from '../platform/phone.ts'

/**
 * Carriers write numbers with a plus, with 00, or bare. What may be meant, most likely first; the carrier's own word when
 * it is none of these.
 */
export function spellingsOf(written: string): string[] {
  const plain = written.replace(/[\s().-]/g, '')
  const digits = plain.replace(/^\+/, '')
  if (!/^[0-9]{2,15}$/.test(digits)) return []
  const candidates = [`+${digits}`, `+${digits.replace(/^0+/, '')}`, `+1${digits}`, `+91${digits.replace(/^0/, '')}`]
  return [...new Set(plain.startsWith('+') ? [plain] : candidates)].filter(isE164)
}

/** Who calls, in E.164; empty when it is hidden or cannot be told. A bare national number says no country. */
export function callerNumber(written: string): string {
  const plain = written.replace(/[\s().-]/g, '').replace(/^00/, '+')
  if (isE164(plain)) return plain
  const bare = `+${plain}`
  return /^\+(1[2-9][0-9]{9}|91[1-9][0-9]{9})$/.test(bare) ? bare : ''
}
