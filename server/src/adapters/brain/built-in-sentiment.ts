import type { CallAnalytics } from '@parley/contract/calls'
import { plain } from './words/plain.ts'

type Disposition = CallAnalytics['disposition']

const gladWords = listOf(`great|perfect|wonderful|excellent|happy|lovely|awesome|fantastic|glad|appreciate|very good|
  so good|sounds good|helpful|badhiya|bahut accha|बढ़िया|बहुत अच्छा|बहुत अच्छी`)
const glad = pattern(gladWords)
const notGlad = pattern(`(?:not|isnt|wasnt|arent|never|no|नहीं) (?:so |very |really |too )?(?:${gladWords})`)
const polite = pattern(listOf('thank|thanks|dhanyavaad|dhanyavad|shukriya|धन्यवाद|शुक्रिया'))
const cross = pattern(
  listOf(`angry|annoying|annoyed|terrible|awful|horrible|worst|hate|useless|stupid|ridiculous|upset|disappointed|unhappy|
    rude|spam|scam|fraud|harassing|harassment|complaint|stop calling|leave me alone|dont call|do not call|never call|
    waste of time|bakwas|bakwaas|bekar|pareshan|gussa|बकवास|बेकार|परेशान|गुस्सा|धोखा`),
)

const outcomeWeight: Partial<Record<Disposition, number>> = {
  appointment_booked: 1.5,
  not_interested: -1,
  ended_by_customer: -0.5,
}

/** The callee's words and what came of the call. A polite "no, thank you" is neutral. */
export function sentimentOf(calleeTexts: readonly string[], disposition: Disposition): CallAnalytics['sentiment'] {
  const words = calleeTexts.map((text) => ` ${plain(text)} `).join(' ')
  if (words.trim() === '' || disposition === 'voicemail') return 'neutral'
  const score =
    count(words, glad) -
    2 * count(words, notGlad) +
    Math.min(1, count(words, polite)) / 2 -
    count(words, cross) +
    (outcomeWeight[disposition] ?? 0)
  if (score >= 1) return 'positive'
  return score <= -1 ? 'negative' : 'neutral'
}

function listOf(words: string): string {
  return words
    .split('|')
    .map((word) => plain(word))
    .join('|')
}

function pattern(list: string): RegExp {
  return new RegExp(`(?<= )(?:${list})(?= )`, 'g')
}

function count(words: string, wanted: RegExp): number {
  return words.match(wanted)?.length ?? 0
}
