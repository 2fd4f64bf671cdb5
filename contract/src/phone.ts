import type { ErrorCode } from './errors.ts'

/** What can be called: the server refuses by these rules, and forms explain them before anything is sent. */
export type PhoneFault = { code: Extract<ErrorCode, 'INVALID_PHONE_NUMBER' | 'UNSUPPORTED_COUNTRY'>; message: string }

// [0-9], not \d with a u flag or a locale: Arabic or full-width digits are not a phone number a carrier can dial.
const supported = /^(\+1[2-9][0-9]{9}|\+91[1-9][0-9]{9})$/
const wellFormed = /^\+[1-9][0-9]{6,14}$/

/** E.164, `+1` or `+91` and exactly ten digits (§8, decisions 3). */
export function phoneFault(number: string): PhoneFault | null {
  if (supported.test(number)) return null
  if (wellFormed.test(number) && !/^\+(1|91)/.test(number)) {
    return {
      code: 'UNSUPPORTED_COUNTRY',
      message: 'Only numbers in the United States (+1) and India (+91) can be called.',
    }
  }
  return {
    code: 'INVALID_PHONE_NUMBER',
    message: 'Write the number as +1 or +91 followed by ten digits, without spaces, e.g. +15005550001.',
  }
}

/** Any well-formed E.164 number: what an operator may list as their own, or put on the do-not-call list. */
export const isE164 = (number: string): boolean => wellFormed.test(number)
