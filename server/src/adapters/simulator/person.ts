import type { Act, Callee } from './callee.ts'
import { byePhrase, type Character, haveToGoPhrase, helloPhrase, type Phrase, satisfied } from './characters.ts'
import { pickSeconds } from './seed.ts'
import { isHindi, type Topic, topics, understand } from './understanding.ts'

/** Nobody talks to a machine for ever. */
const mostAnswers = 15
const mostHellos = 3
/** How long they wait for the agent to hang up after a goodbye. */
const farewellSeconds = 8
const waitingSeconds = 6

export type PersonOptions = { character: Character; speaksHindi: boolean; random: () => number }

/** A person who answers the agent's words according to their character. */
export function createPerson({ character, speaksHindi, random }: PersonOptions): Callee {
  let mood = character
  let answers = 0
  let hellos = 0
  let position = 0
  let hindi = false

  const speak = (phrase: Phrase, after: number): Act[] => [
    { type: 'say', after, text: hindi ? phrase.hi : phrase.en },
    ...(phrase.leaves ? [{ type: 'hang_up', after: farewellSeconds } as const] : []),
  ]

  const nextOfScript = (): Phrase => {
    const phrase = mood.script[Math.min(position, mood.script.length - 1)] ?? mood.script[0]
    position += 1
    return phrase
  }

  /** The agent says nothing: ask into the quiet, and leave in the end. */
  const breakSilence = (): Act[] => {
    hellos += 1
    if (hellos > mostHellos) return [{ type: 'hang_up', after: waitingSeconds }]
    return speak(helloPhrase, answers === 0 && hellos === 1 ? 1 : waitingSeconds)
  }

  const react = (heard: ReadonlySet<Topic>): Phrase => {
    if (heard.has('goodbye')) return byePhrase
    if (answers > mostAnswers) return haveToGoPhrase
    if (mood.wants !== undefined && heard.has(mood.wants) && !heard.has('is_that_right')) {
      mood = satisfied
      position = 0
      return nextOfScript()
    }
    const understood = topics.find((topic) => heard.has(topic) && mood.answers[topic] !== undefined)
    return (understood && mood.answers[understood]) ?? nextOfScript()
  }

  return {
    picksUpAfter: pickSeconds(random, 2, 8),
    pickUp: () => [],
    overhear: (text, seconds) => {
      const end = character.breaksOff
      const enough = end !== undefined && (answers >= end.afterAnswers || understand(text).has('goodbye'))
      return enough ? [{ type: end.by, after: seconds / 2 }] : []
    },
    answer: (words, language) => {
      if (words === '') return breakSilence()
      hindi = speaksHindi && isHindi(words, language)
      hellos = 0
      answers += 1
      return speak(react(understand(words)), pickSeconds(random, 0.4, 1.6))
    },
  }
}
