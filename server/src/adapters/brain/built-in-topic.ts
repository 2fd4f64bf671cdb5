import type { Tools } from '../../voice/ports.ts'
import type { Topic } from './words/words.ts'

const topicWords: readonly (readonly [Topic, RegExp])[] = [
  ['appointment', /\b(?:appointments?|bookings?|check-?ups?|consultations?)\b/],
  ['payment', /\b(?:payments?|invoices?|bills?|overdue|emi)\b/],
  ['order', /\b(?:orders?|delivery|deliveries|shipments?|parcels?)\b/],
  ['feedback', /\b(?:feedback|survey|reviews?|satisfaction)\b/],
  ['renewal', /\b(?:renewals?|renew|subscriptions?)\b/],
  ['insurance', /\b(?:insurance|polic(?:y|ies))\b/],
  ['loan', /\b(?:loans?|mortgages?)\b/],
  ['property', /\b(?:property|properties|apartments?|real estate)\b/],
  ['course', /\b(?:courses?|admissions?|enrol?lments?)\b/],
]

/**
 * What the call is about, in a word of ours: the prompt itself is instructions and may hold what is not for the
 * callee's ears. A sentence that forbids something names no topic.
 */
export function topicOf(prompt: string, tools: Tools): Topic | null {
  if (tools.book_appointment && tools.list_slots) return 'appointment'
  const said = prompt
    .toLowerCase()
    .split(/[.!?\n]+/)
    .filter((sentence) => !/\b(?:not|never|don'?t|avoid|without|except)\b/.test(sentence))
    .join('. ')
  return topicWords.find(([, words]) => words.test(said))?.[0] ?? null
}
